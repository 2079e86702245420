import { bindQuery, dynamicQueryModel } from '@rowkey/query'
import { expect, it } from 'vitest'
import { RowBudget } from '../../../packages/query/src/parallel/row-budget.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { rowsAt, TableSource } from '../table-source.ts'

it('has room until the largest page would not fit', () => {
  const budget = new RowBudget(10)
  budget.expect()
  expect(budget.hasRoom).toBe(true) // nothing is known of the size of pages
  budget.arrived(4)
  expect(budget.hasRoom).toBe(true)
  budget.expect()
  expect(budget.hasRoom).toBe(false)
  budget.arrived(4)
  budget.passedOn(4)
  expect(budget.hasRoom).toBe(true)
})

it('always has room for one page, and forgets a page that failed', () => {
  const budget = new RowBudget(10)
  budget.expect()
  budget.arrived(50)
  expect(budget.hasRoom).toBe(false)
  budget.passedOn(50)
  expect(budget.hasRoom).toBe(true)
  budget.expect()
  expect(budget.hasRoom).toBe(false)
  budget.arrived(0)
  expect(budget.hasRoom).toBe(true)
})

longTest('fetches 16,000 rows at most before they are wanted', async () => {
  for (const order of ['keys', 'arrival'] as const) {
    const keys = Array.from({ length: 30 }, (_, partition) =>
      Array.from({ length: 1_000 }, (_, row) => `p${10 + partition}/${row}`),
    )
    const source = new TableSource(rowsAt(...keys.flat()))
    const partitions = keys.map(([first = '']) => first.split('/')[0] ?? '')
    const query = bindQuery(dynamicQueryModel('people'), source).inPartitions(partitions, { order })
    const rows = query[Symbol.asyncIterator]()
    await rows.next()
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
    expect(source.questions.length).toBeLessThanOrEqual(17)
    let count = 1
    while ((await rows.next()).done !== true) count++
    expect(count).toBe(30_000)
  }
})
