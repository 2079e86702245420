import { type DynamicEntity, filter as filterText, parseFilter } from '@rowkey/odata'
import {
  anyOf,
  bindQuery,
  dynamicQueryModel,
  levelOfRun,
  NoRowError,
  type QueryModel,
} from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { type QueryNode, withChange } from '../../../packages/query/src/node/query-node.ts'
import {
  countRows,
  firstRows,
  noRow,
  queryRows,
} from '../../../packages/query/src/read/query-rows.ts'
import { tableScan } from '../../support/rejections.ts'
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

const five = rowsAt('a/1', 'a/2', 'a/3', 'b/1', 'b/2')
const queryOn = (source: TableSource) => bindQuery(dynamicQueryModel('people'), source)
const three = { partitionKey: 'a', rowKey: anyOf(['3', '9', '1']) }

describe('a query that names entities by their whole keys', () => {
  it('R-41: reads them one by one, in the order of their keys, and leaves out missing ones', async () => {
    const source = new TableSource(five)
    expect(keysOf(await queryOn(source).where(three).toArray())).toEqual(['a/1', 'a/3'])
    expect(source.asked).toEqual(['a/1', 'a/3', 'a/9'])
  })

  it('reads entities of several partitions without an opt-in to table scans', async () => {
    const source = new TableSource(five)
    const query = queryOn(source).where({
      partitionKey: anyOf(['b', 'a']),
      rowKey: anyOf(['2', '1']),
    })
    expect(keysOf(await query.toArray())).toEqual(['a/1', 'a/2', 'b/1', 'b/2'])
    await expect(query.byPage().next()).rejects.toThrow(tableScan)
  })

  it('needs no opt-in where two lists share one key, or no key', async () => {
    const common = (partitionKeys: readonly string[]) => {
      const source = new TableSource(five)
      const query = queryOn(source)
        .where({ partitionKey: anyOf(['a', 'b']), rowKey: '1' })
        .where({ partitionKey: anyOf(partitionKeys) })
      return { source, query }
    }
    const one = common(['b', 'c'])
    expect(keysOf(await one.query.toArray())).toEqual(['b/1'])
    expect(one.source.asked).toEqual(['b/1'])
    expect(one.query.explain()).toMatchObject({
      plan: 'point',
      pointReads: [{ partitionKey: 'b' }],
    })
    const none = common(['c', 'd'])
    expect(await none.query.toArray()).toEqual([])
    expect(none.source.asked).toEqual([])
  })

  it('R-41: reads by key where parts name whole keys', async () => {
    const source = new TableSource(rowsAt('a/o_1', 'a/o_2', 'a/o_3'))
    const no = { property: 'no', name: 'no', type: 'String', inKey: true } as const
    const model: QueryModel = {
      name: 'Order',
      column: (name) => (name === 'no' ? no : dynamicQueryModel('orders').column(name)),
      keys: { rowKey: { segments: ['o_', { property: 'no', print: String }] } },
    }
    const query = bindQuery<DynamicEntity>(model, source)
      .where({ partitionKey: 'a' })
      .where(filterText`no eq ${'3'} or no eq ${'1'}`)
    expect(query.explain()).toMatchObject({ plan: 'point', pointReads: [{}, {}] })
    expect(keysOf(await query.toArray())).toEqual(['a/o_1', 'a/o_3'])
    expect(source.asked).toEqual(['a/o_1', 'a/o_3'])
  })

  it('explains the reads in its plan', () => {
    const plan = queryOn(new TableSource(five)).where(three).take(2).explain()
    expect(plan).toEqual({
      plan: 'point',
      filter: "PartitionKey eq 'a' and (RowKey eq '3' or RowKey eq '9' or RowKey eq '1')",
      comparisons: 4,
      reasons: [
        'Reads 3 entities by their keys, up to 64 at once. By pages, it is one query with the plan partitionScan.',
      ],
      pointReads: [
        { partitionKey: 'a', rowKey: '1' },
        { partitionKey: 'a', rowKey: '3' },
        { partitionKey: 'a', rowKey: '9' },
      ],
      requests: { least: 2, most: 3 },
      dollars: { least: 7.2e-8, most: 1.08e-7 },
    })
  })

  it('is one query by pages, so that it can be resumed', async () => {
    const source = new TableSource(five)
    const page = await queryOn(source).where(three).byPage().next()
    expect(keysOf(page.value?.items ?? [])).toEqual(['a/1', 'a/3'])
    expect(source.asked).toHaveLength(1)
  })

  it('limits concurrent reads', async () => {
    const level = levelOfRun(8, undefined)
    const source = new TableSource(five, { level, before: () => new Promise(setImmediate) })
    const many = Array.from({ length: 50 }, (_, n) => String(n))
    expect(
      await queryOn(source)
        .where({ partitionKey: 'a', rowKey: anyOf(many) })
        .count(),
    ).toBe(3)
    expect(source.most).toBe(8)
    expect(source.questions).toHaveLength(50)
  })

  it('reads no more than the limit needs', async () => {
    const source = new TableSource(five)
    expect((await queryOn(source).where(three).first()).rowKey).toBe('1')
    expect(source.asked).toEqual(['a/1'])
    expect(keysOf(await queryOn(source).where(three).take(2).toArray())).toEqual(['a/1', 'a/3'])
  })

  it('applies a local filter', async () => {
    const query = queryOn(new TableSource(five)).where(three)
    expect(keysOf(await query.filterLocally((row) => row.rowKey > '1').toArray())).toEqual(['a/3'])
  })

  it('does not read a key that the service rejects', async () => {
    const source = new TableSource(five)
    const query = queryOn(source).where({ partitionKey: 'a', rowKey: anyOf(['1', 'x/y']) })
    expect(keysOf(await query.toArray())).toEqual(['a/1'])
    expect(source.asked).toEqual(['a/1'])
  })

  it('is one query when it names a single entity, uses other properties, or the source cannot read by key', async () => {
    const source = new TableSource(five)
    await queryOn(source).where({ partitionKey: 'a', rowKey: '1' }).toArray()
    await queryOn(source)
      .where({ ...three, n: 1 })
      .toArray()
    expect(source.asked).toEqual([
      "PartitionKey eq 'a' and RowKey eq '1'",
      "PartitionKey eq 'a' and (RowKey eq '3' or RowKey eq '9' or RowKey eq '1') and n eq 1",
    ])
    const keyless = new ArraySource([1])
    await bindQuery(dynamicQueryModel('people'), keyless).where(three).toArray()
    expect(keyless.calls).toHaveLength(1)
  })

  it('cancels the other reads when the loop is left, or one fails', async () => {
    const failing = new TableSource(five, {
      before(asked) {
        if (asked === 'a/1') throw new RangeError('first failed')
        return new Promise<void>(() => {})
      },
    })
    await expect(queryOn(failing).where(three).toArray()).rejects.toThrow('first failed')
    expect(failing.questions.map(({ options }) => options.signal?.aborted)).toEqual([
      true,
      true,
      true,
    ])
  })
})
