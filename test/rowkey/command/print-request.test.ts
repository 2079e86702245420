import { connect } from 'rowkey'
import { expect, it } from 'vitest'
import { whileServing } from './while-serving.ts'

it.each([
  ['text', /^\S+Z POST \/devstoreaccount1\/Tables 204 \d+ ms$/m],
  [
    'json',
    /^\{"time":"\S+Z","method":"POST","address":"\/devstoreaccount1\/Tables","operation":"createTable",.*"status":204/m,
  ],
] as const)('serve prints each request as %s', async (log, line) => {
  const printed = await whileServing(
    undefined,
    async (tables) => {
      const account = connect(tables)
      await account.table('people').create()
      await account
        .table('people')
        .create()
        .catch(() => {})
      await account.close()
    },
    { log },
  )
  expect(printed).toMatch(line)
  expect(printed).toMatch(/409.*TableAlreadyExists/)
})
