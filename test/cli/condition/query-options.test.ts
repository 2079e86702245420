import { connect } from 'rowkey'
import { expect, it } from 'vitest'
import { chosenQuery } from '../../../packages/cli/src/condition/query-options.ts'

const people = connect('memory:').table('people')

it.each(['', ' '])('rejects the filter %j, which would read the whole table', (filter) => {
  expect(() => chosenQuery(people, { filter })).toThrow(
    '--filter is empty. Give a value, or leave it out.',
  )
  expect(chosenQuery(people, {}).explain()).toMatchObject({ plan: 'tableScan' })
})

it.each(['', ',', ' , '])('rejects the selection %j, which would read all properties', (select) => {
  expect(() => chosenQuery(people, { select })).toThrow('--select is empty.')
  const { select: names } = chosenQuery(people, { select: 'age, city,' }).explain()
  expect(names).toEqual(expect.arrayContaining(['age', 'city']))
  expect(chosenQuery(people, {}).explain().select).toBeUndefined()
})
