import { parseFilter } from '@rowkey/odata'
import { NoRowError } from '@rowkey/query'
import { expect, it } from 'vitest'
import { type QueryNode, withChange } from '../../../packages/query/src/node/query-node.ts'
import {
  countRows,
  firstRows,
  noRow,
  queryRows,
} from '../../../packages/query/src/read/query-rows.ts'
import { ArraySource } from '../array-source.ts'
import { everything, gather, runOf } from '../run-of.ts'
import { keysOf, rowsAt, TableSource } from '../table-source.ts'

const rows = rowsAt('a/1', 'a/2', 'b/1')
const filterOf = (text: string) => parseFilter(text) ?? expect.unreachable()

it('finds the same rows by one query, by several at once, and by reads by key', async () => {
  const both = filterOf("PartitionKey eq 'a' and (RowKey eq '1' or RowKey eq '2')")
  const ranges = [filterOf("PartitionKey eq 'a'")]
  const ways = [
    [{ filter: filterOf("PartitionKey eq 'a'") }, ["PartitionKey eq 'a'"]],
    [{ parallel: { ranges, concurrency: 1, order: 'keys' } }, ["PartitionKey eq 'a'"]],
    [{ filter: both }, ['a/1', 'a/2']],
  ] as const
  for (const [change, asked] of ways) {
    const source = new TableSource(rows)
    const found = (await gather(queryRows(runOf(source, change)))).flat()
    expect(keysOf(found)).toEqual(['a/1', 'a/2'])
    expect(source.asked).toEqual(asked)
  }
})

it('sends nothing for a query that no row can match', async () => {
  const nothing = filterOf('age gt 5 and false')
  const everyOrder = [
    { filter: nothing },
    { filter: nothing, scans: 'none' as const },
    { parallel: { ranges: [nothing, nothing], concurrency: 1, order: 'keys' as const } },
    { parallel: { ranges: [nothing, nothing], concurrency: 1, order: 'arrival' as const } },
  ]
  for (const change of everyOrder) {
    const source = new TableSource(rows)
    expect(await gather(queryRows(runOf(source, change)))).toEqual([])
    expect(await countRows(runOf(source, change))).toBe(0)
    expect(source.asked).toEqual([])
  }
  const one = {
    ranges: [nothing, filterOf("PartitionKey eq 'a'")],
    concurrency: 1,
    order: 'keys' as const,
  }
  const source = new TableSource(rows)
  expect((await gather(queryRows(runOf(source, { parallel: one })))).flat()).toHaveLength(2)
  expect(source.asked).toEqual(["PartitionKey eq 'a'"])
})

it('reads only the first row, over empty pages', async () => {
  const source = new ArraySource<number>([], [7, 8], [9])
  expect(await firstRows(runOf(source, { take: 5 }))).toEqual([7])
  expect(source.calls).toHaveLength(2)
})

it('reads the first row that a local filter keeps', async () => {
  const pages = () => new ArraySource([1, 2], [3])
  expect(await firstRows(runOf(pages(), { localTests: [(row) => Number(row) > 1] }))).toEqual([2])
  expect(await firstRows(runOf(pages(), { localTests: [() => false] }))).toEqual([])
})

it('counts rows by their PartitionKeys alone, and reads none', async () => {
  const source = new ArraySource([1, 2], [3])
  const read = () => expect.unreachable()
  const run = { ...runOf(source, { select: ['PartitionKey', 'age'] }), read }
  expect(await countRows(run)).toBe(3)
  expect(source.calls.map(({ query }) => query.select)).toEqual([
    ['PartitionKey'],
    ['PartitionKey'],
  ])
})

it('counts rows of several queries by both keys, since they may have a row in common', async () => {
  const source = new TableSource(rows)
  const ranges = [filterOf("PartitionKey eq 'a'"), filterOf("RowKey eq '1'")]
  const parallel = { ranges, concurrency: 1, order: 'keys' as const }
  expect(await countRows(runOf(source, { parallel }))).toBe(3)
})

it('counts the rows that a local filter keeps', async () => {
  const source = new ArraySource([1, 2], [3])
  expect(await countRows(runOf(source, { localTests: [(row) => row !== 2] }))).toBe(2)
  expect(source.calls[0]?.query.select).toBeUndefined()
})

const filter = parseFilter("PartitionKey eq 'a'")
const localTests = [() => false]

it.each<[Partial<QueryNode>, string]>([
  [{}, 'The table is empty.'],
  [{ filter }, "No row matches: PartitionKey eq 'a'."],
  [{ localTests }, '.filterLocally drops all rows.'],
  [{ filter, localTests }, ".filterLocally drops all rows that match: PartitionKey eq 'a'."],
  [
    { filter, parallel: { ranges: [filter!, filter!], concurrency: 8, order: 'keys' } },
    'All of its 2 queries are empty.',
  ],
])('says why the first row is missing: %#', (change, why) => {
  const error = noRow(withChange(everything, change))
  expect(error).toBeInstanceOf(NoRowError)
  expect(error.message).toBe(
    `The query on people has no first row. ${why} Use .firstOrUndefined() where there may be no row.`,
  )
})
