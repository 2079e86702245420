import type { DynamicEntity } from '@rowkey/odata'
import {
  anyOf,
  between,
  bindQuery,
  dynamicQueryModel,
  ge,
  gt,
  lt,
  type QueryOptions,
} from '@rowkey/query'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rowsAsTheyArrive } from '../../../packages/query/src/parallel/parallel-rows.ts'
import { invalidQuery, tableScan } from '../../support/rejections.ts'
import { ArraySource } from '../array-source.ts'
import { gather, rangeOf, runOf, scheduleOf } from '../run-of.ts'
import { keysOf, rowsAt, TableSource } from '../table-source.ts'

const rows = rowsAt('a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1', 'd/1', 'd/2')
const queryOn = (source: TableSource) => bindQuery(dynamicQueryModel('people'), source)

/** A source whose responses the test releases, one partition at a time. */
function gatedSource() {
  const gates = new Map<string, () => void>()
  const before = (asked: string) =>
    new Promise<void>((resolve) => gates.set(/'(\w+)'/.exec(asked)?.[1] ?? '', resolve))
  const source = new TableSource(rows, { before })
  const letGo = async (partition: string) => {
    while (!gates.has(partition)) await new Promise(setImmediate)
    gates.get(partition)?.()
    gates.delete(partition)
  }
  return { source, letGo }
}

describe('anyOf on the PartitionKey', () => {
  const listed = (source: TableSource) =>
    queryOn(source).where({ partitionKey: anyOf(['c', 'a', 'x', 'a']) })

  it('queries each partition, and yields the rows in the order of their keys', async () => {
    const source = new TableSource(rows, { pageSize: 2 })
    const query = listed(source)
    expect(keysOf(await query.toArray())).toEqual(['a/1', 'a/2', 'a/3', 'c/1'])
    expect(new Set(source.asked)).toEqual(
      new Set(["PartitionKey eq 'a'", "PartitionKey eq 'c'", "PartitionKey eq 'x'"]),
    )
    expect(await query.count()).toBe(4)
    expect(keysOf(await query.take(2).toArray())).toEqual(['a/1', 'a/2'])
    expect(keysOf(await query.where({ rowKey: ge('2') }).toArray())).toEqual(['a/2', 'a/3'])
    expect(query.explain()).toMatchObject({
      plan: 'partitionScan',
      queries: [{}, {}, {}],
      reasons: expect.arrayContaining([expect.stringMatching(/^Runs 3 queries/)]),
    })
    expect(query.explain()).not.toHaveProperty('warnings')
  })

  it('stays one query where scans are allowed, under not, and beside other properties', async () => {
    const source = new TableSource(rows)
    expect(keysOf(await listed(source).allowTableScan().toArray())).toHaveLength(4)
    expect(source.asked).toHaveLength(1)
    const mixed = queryOn(source).where((row) => row.partitionKey!.eq('a').or(row.rowKey!.eq('1')))
    await expect(mixed.toArray()).rejects.toMatchObject(tableScan)
    const not = queryOn(source).where((row) => row.partitionKey!.in(['a', 'b']).not())
    await expect(not.toArray()).rejects.toMatchObject(tableScan)
  })
})

describe('inPartitions', () => {
  it('R-42: queries each partition, and yields the rows in the order of their keys', async () => {
    const source = new TableSource(rows, { pageSize: 2 })
    const query = queryOn(source).inPartitions(['c', 'a', 'b'])
    expect(keysOf(await query.toArray())).toEqual(['a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1'])
    expect(new Set(source.asked)).toEqual(
      new Set(["PartitionKey eq 'a'", "PartitionKey eq 'b'", "PartitionKey eq 'c'"]),
    )
  })

  it('R-158: merges partitions by RowKey, equal RowKeys by PartitionKey, and counts all rows for a limit', async () => {
    for (const pageSize of [1, 2, 3]) {
      const source = new TableSource(rows, { pageSize })
      const query = queryOn(source).inPartitions(['d', 'b', 'a'], { order: 'rowKeys' })
      const all = ['a/1', 'b/1', 'd/1', 'a/2', 'b/2', 'd/2', 'a/3']
      expect(keysOf(await query.toArray())).toEqual(all)
      expect(keysOf(await query.take(4).toArray())).toEqual(all.slice(0, 4))
    }
  })

  it('merges by RowKey also where a condition leaves no row of a partition', async () => {
    const query = queryOn(new TableSource(rows)).where({ partitionKey: gt('a') })
    const merged = query.inPartitions(['d', 'b', 'a'], { order: 'rowKeys' })
    expect(keysOf(await merged.toArray())).toEqual(['b/1', 'd/1', 'b/2', 'd/2'])
  })

  it('adds the partition to the shared condition', async () => {
    const source = new TableSource(rows)
    const query = queryOn(source)
      .inPartitions(['a', 'b'])
      .where({ n: gt(1) })
    expect(keysOf(await query.toArray())).toEqual(['a/2', 'a/3', 'b/2'])
    expect(source.asked).toContain("n gt 1 and PartitionKey eq 'a'")
  })

  it('R-163: runs as many queries at once as it may, and no more', async () => {
    for (const order of ['keys', 'arrival'] as const) {
      const source = new TableSource(rows, { before: () => new Promise(setImmediate) })
      const partitions = ['a', 'b', 'c', 'd', 'e', 'f']
      await queryOn(source).inPartitions(partitions, { concurrency: 3, order }).toArray()
      expect(source.most).toBe(3)
    }
  })

  it('R-42: yields rows as they arrive, so that a slow partition does not hold up the others', async () => {
    const { source, letGo } = gatedSource()
    const query = queryOn(source).inPartitions(['a', 'b'], { order: 'arrival' })
    const arriving = query[Symbol.asyncIterator]()
    const first = arriving.next()
    await letGo('b')
    expect((await first).value?.partitionKey).toBe('b')
    expect((await arriving.next()).value?.rowKey).toBe('2')
    const third = arriving.next()
    await letGo('a')
    expect((await third).value?.partitionKey).toBe('a')
    await arriving.return(undefined)
  })

  it('yields rows of the first partition before the last has responded', async () => {
    const { source, letGo } = gatedSource()
    const arriving = queryOn(source).inPartitions(['a', 'b'])[Symbol.asyncIterator]()
    const first = arriving.next()
    await letGo('a')
    expect((await first).value?.partitionKey).toBe('a')
    await arriving.return(undefined)
  })

  it('limits the rows of all queries together', async () => {
    for (const order of ['keys', 'arrival'] as const) {
      const query = queryOn(new TableSource(rows, { pageSize: 1 }))
      const some = query.inPartitions(['a', 'b', 'c', 'd'], { order }).take(4)
      expect(await some.toArray()).toHaveLength(4)
      expect(await some.count()).toBe(4)
    }
  })

  it('queries no partition past the limit', async () => {
    const source = new TableSource(rows)
    const query = queryOn(source).inPartitions(['a', 'b', 'c'], { concurrency: 1 }).take(2)
    expect(keysOf(await query.toArray())).toEqual(['a/1', 'a/2'])
    expect(source.asked).toEqual(["PartitionKey eq 'a'"])
  })

  it('queries each partition once, and sends nothing without a partition', async () => {
    const source = new TableSource(rows)
    expect(await queryOn(source).inPartitions([]).toArray()).toEqual([])
    expect(source.asked).toEqual([])
    expect(await queryOn(source).inPartitions(['b', 'b']).count()).toBe(2)
    expect(source.asked).toEqual(["PartitionKey eq 'b'"])
  })

  it('cancels the other queries when one fails', async () => {
    for (const order of ['keys', 'arrival'] as const) {
      const source = new TableSource(rows, {
        before(asked) {
          if (asked.includes("'b'")) throw new RangeError('b failed')
          return asked.includes("'c'") ? new Promise<void>(() => {}) : undefined
        },
      })
      const query = queryOn(source).inPartitions(['a', 'b', 'c'], { order })
      await expect(query.toArray()).rejects.toThrow('b failed')
      const slow = source.questions.find(({ asked }) => asked.includes("'c'"))
      expect(slow?.options.signal?.aborted).toBe(true)
    }
  })

  it('cancels all queries when the loop is left', async () => {
    for (const order of ['keys', 'arrival'] as const) {
      const source = new TableSource(rows, { pageSize: 1 })
      for await (const _row of queryOn(source).inPartitions(['a', 'b'], { order })) break
      const asked = source.questions.length
      await new Promise(setImmediate)
      expect(source.questions).toHaveLength(asked)
      for (const { options } of source.questions) expect(options.signal?.aborted).toBe(true)
    }
  })

  it('begins one run for all queries', async () => {
    const source = new TableSource(rows)
    let runs = 0
    const counted = Object.assign(source, { beginRun: (): QueryOptions => ({ timeout: ++runs }) })
    await queryOn(counted).inPartitions(['a', 'b']).toArray()
    expect(source.questions.map(({ options }) => options.timeout)).toEqual([1, 1])
  })

  it('limits concurrent requests also where all ranges overlap', async () => {
    const source = new TableSource(rowsAt('a/1', 'a/2', 'a/3', 'a/4'), {
      pageSize: 1,
      before: () => new Promise(setImmediate),
    })
    const ranges = ['0', '1', '2', '3', '4'].map((rowKey) => ({ rowKey: ge(rowKey) }))
    const query = queryOn(source).where({ partitionKey: 'a' }).parallel({ ranges, concurrency: 2 })
    expect(keysOf(await query.toArray())).toEqual(['a/1', 'a/2', 'a/3', 'a/4'])
    expect(source.most).toBe(2)
  })

  it('fetches at most one page ahead of each partition', async () => {
    const source = new TableSource(rows, { pageSize: 1 })
    const arriving = queryOn(source).inPartitions(['a', 'd'])[Symbol.asyncIterator]()
    await arriving.next()
    await new Promise(setImmediate)
    // Two pages of a, and the first of d.
    expect(source.asked.filter((asked) => asked.includes("'a'"))).toHaveLength(2)
    expect(source.asked.filter((asked) => asked.includes("'d'"))).toHaveLength(1)
    await arriving.return(undefined)
  })

  it('rejects byPage, and says why', async () => {
    const query = queryOn(new TableSource(rows)).inPartitions(['a', 'b'])
    await expect(query.byPage().next()).rejects.toThrow(
      /byPage\(\) on people does not support \.inPartitions/,
    )
  })

  it('yields rows of a source without keys only as they arrive', async () => {
    const query = bindQuery(dynamicQueryModel('people'), new ArraySource([1, 2]))
    await expect(query.inPartitions(['a']).toArray()).rejects.toThrow(/use order: 'arrival'/)
    expect(await query.inPartitions(['a'], { order: 'arrival' }).toArray()).toEqual([1, 2])
  })
})

describe('parallel', () => {
  it('queries ranges of one partition at once', async () => {
    const source = new TableSource(rows)
    const query = queryOn(source)
      .where({ partitionKey: 'a' })
      .parallel({ ranges: [{ rowKey: ge('2') }, { rowKey: lt('2') }] })
    expect(keysOf(await query.toArray())).toEqual(['a/1', 'a/2', 'a/3'])
    expect(source.asked).toEqual([
      "PartitionKey eq 'a' and RowKey lt '2'",
      "PartitionKey eq 'a' and RowKey ge '2'",
    ])
  })

  it('yields a row that is in two ranges once in the order of keys', async () => {
    const query = queryOn(new TableSource(rows)).parallel({
      ranges: [{ partitionKey: between('a', 'c') }, { partitionKey: between('b', 'd') }],
    })
    expect(keysOf(await query.toArray())).toEqual(keysOf(rows))
    expect(await query.count()).toBe(rows.length)
  })

  it('R-40: rejects ranges with a table scan among them, and sends nothing', async () => {
    const source = new TableSource(rows)
    const query = queryOn(source).parallel({ ranges: [{ partitionKey: 'a' }, { n: gt(1) }] })
    await expect(query.toArray()).rejects.toThrow(tableScan)
    expect(source.asked).toEqual([])
  })

  it('explains each query, and has the most expensive plan as its own', () => {
    const plan = queryOn(new TableSource(rows))
      .where({ n: gt(1) })
      .parallel({ ranges: [{ partitionKey: 'a', rowKey: '1' }, { partitionKey: 'b' }] })
      .explain()
    expect(plan.plan).toBe('partitionScan')
    expect(plan.queries?.map((query) => query.plan)).toEqual(['point', 'partitionScan'])
    expect(plan.reasons[0]).toBe(
      'Runs 2 queries, up to 64 at once; rows come in the order of their keys.',
    )
  })

  it('applies a local filter before it counts rows', async () => {
    const query = queryOn(new TableSource(rows))
      .inPartitions(['a', 'b'])
      .filterLocally((row) => row.rowKey !== '1')
    expect(keysOf(await query.take(2).toArray())).toEqual(['a/2', 'a/3'])
    expect(await query.count()).toBe(3)
  })

  it('yields the rows of one query, whatever the ranges, pages and concurrency', async () => {
    const names = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const keys = fc.uniqueArray(fc.tuple(names, names), { selector: String, maxLength: 20 })
    const pair = fc.tuple(names, names).map((both) => both.toSorted() as [string, string])
    const bounds = fc.array(pair, { minLength: 1, maxLength: 4 })
    const sizes = fc.record({
      pageSize: fc.integer({ min: 1, max: 4 }),
      concurrency: fc.integer({ min: 1, max: 4 }),
      take: fc.integer({ min: 1, max: 30 }),
    })
    const property = fc.asyncProperty(keys, bounds, sizes, async (all, pairs, size) => {
      const table = rowsAt(...all.map((key) => key.join('/')))
      const source = new TableSource(table, { pageSize: size.pageSize })
      const ranges = pairs.map(([low, high]) => ({ partitionKey: between(low, high) }))
      const isIn = ({ partitionKey: at }: DynamicEntity) =>
        pairs.some(([low, high]) => low <= at && at <= high)
      const expected = keysOf(table.filter(isIn)).toSorted().slice(0, size.take)
      const { concurrency, take } = size
      const found = await queryOn(source).parallel({ ranges, concurrency }).take(take).toArray()
      expect(keysOf(found)).toEqual(expected)
    })
    await fc.assert(property, { numRuns: 200 })
  })

  it('rejects invalid ranges and unknown options', () => {
    const query = queryOn(new TableSource(rows))
    const rejected: readonly (() => unknown)[] = [
      () => query.parallel({ ranges: [{ partitionKey: 'a' }], order: 'random' as never }),
      () => query.parallel({ ranges: [{ partitionKey: 'a' }], concurrency: 0 }),
      () => query.parallel({ ranges: 'a' as never }),
      () => query.parallel(undefined as never),
      () => query.parallel({ ranges: [null as never] }),
      () => query.inPartitions('a' as never),
      () => query.inPartitions(['a'], { concurrency: 1.5 }),
    ]
    for (const act of rejected) expect(act).toThrow(invalidQuery)
    const misspelled = { ranges: [{ partitionKey: 'a' }], speed: 9 } as never
    expect(() => query.parallel(misspelled)).toThrow(/has no option 'speed'/)
    expect(() => query.inPartitions(['a/b'])).toThrow(/PartitionKey/)
    expect(() => query.inPartitions([7 as never])).toThrow(/PartitionKey/)
  })
})

describe('a source that does not sort its rows', () => {
  const unsorted = () => queryOn(new TableSource(rows, { pageSize: 2, isUnsorted: true }))

  it('R-177: still gives the rows of several partitions in the order of their keys', async () => {
    const query = unsorted().inPartitions(['c', 'a', 'b'])
    expect(keysOf(await query.toArray())).toEqual(['a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1'])
  })

  it('R-177: gives the first rows by key to a limit, and to first()', async () => {
    const query = unsorted().inPartitions(['b', 'a'])
    expect(keysOf(await query.take(2).toArray())).toEqual(['a/1', 'a/2'])
    expect(keysOf([await query.first()])).toEqual(['a/1'])
  })

  it('R-177: gives each row of two ranges once', async () => {
    const query = unsorted()
      .where({ partitionKey: 'a' })
      .parallel({ ranges: [{ rowKey: lt('3') }, { rowKey: ge('2') }] })
    expect(keysOf(await query.toArray())).toEqual(['a/1', 'a/2', 'a/3'])
    expect(await query.count()).toBe(3)
  })

  it('R-177: gives every row once over pages that a limit cuts', async () => {
    const query = unsorted().where({ partitionKey: 'a' }).pageSize(3)
    const found: string[] = []
    let token: string | undefined
    do {
      const page = await query.page({ size: 2, token })
      found.push(...keysOf(page.items))
      token = page.next
    } while (token !== undefined)
    expect(found).toEqual(['a/3', 'a/2', 'a/1'])
  })
})

describe('rows as they arrive', () => {
  it('yields every row of every run', async () => {
    const schedule = scheduleOf(2)
    const runs = [[1], [2, 3], []].map((rows) =>
      rangeOf(runOf(new ArraySource(rows, rows)), schedule),
    )
    const rows = (await gather(rowsAsTheyArrive(runs, schedule))).flat()
    expect(rows.toSorted()).toEqual([1, 1, 2, 2, 3, 3])
  })

  it('begins the next run when one has ended', async () => {
    const sources = [new ArraySource([1]), new ArraySource([2])]
    const schedule = scheduleOf(1)
    const runs = sources.map((source) => rangeOf(runOf(source), schedule))
    const rows = rowsAsTheyArrive(runs, schedule)
    await rows.next()
    expect(sources.map(({ calls }) => calls.length)).toEqual([1, 0])
    expect((await gather(rows)).flat()).toEqual([2])
  })

  it('fetches a page ahead only with prefetch', async () => {
    for (const prefetch of [true, false]) {
      const source = new ArraySource([1], [2])
      const schedule = scheduleOf(1, prefetch)
      await rowsAsTheyArrive([rangeOf(runOf(source), schedule)], schedule).next()
      expect(source.calls).toHaveLength(prefetch ? 2 : 1)
    }
  })

  it('yields nothing without a run', async () => {
    expect(await gather(rowsAsTheyArrive([], scheduleOf(4)))).toEqual([])
  })
})
