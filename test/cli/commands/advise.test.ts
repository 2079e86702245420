import { DynamicEntity } from 'rowkey'
import { expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'
import { openTables } from '../with-tables.ts'

it('rowkey advise prints the coverage, the partitions and the advice', async () => {
  await using tables = await openTables()
  const people = tables.account.table('people')
  await people.create()
  await people
    .bulk()
    .insert(Array.from({ length: 30 }, (_, n) => new DynamicEntity('a', `${n % 10}_${n}`, { n })))
  const { code, printed } = await runCli('advise people', { target: tables.target })
  expect(code).toBe(0)
  expect(printed).toMatch(
    /^A sample of people: 30 rows .*\n30 rows in 1 partition\.\n- All rows are in one partition\.\n/,
  )
  const json = JSON.parse((await runCli('advise people --json', { target: tables.target })).printed)
  expect(json).toMatchObject({
    table: 'people',
    rows: 30,
    partitions: 1,
    advice: [{ page: 'docs/keys.md' }],
  })
})
