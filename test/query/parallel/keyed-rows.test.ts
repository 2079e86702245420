import { comparison, type DynamicEntity, EntityProperty, literalOf } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  type KeyedRow,
  KeyedRows,
  rowsInKeyOrder,
} from '../../../packages/query/src/parallel/keyed-rows.ts'
import { gather, rangeOf, runOf, scheduleOf } from '../run-of.ts'
import { keysOf, rowsAt, TableSource } from '../table-source.ts'

/** Streams of whole partitions of one table, in this order. */
function streamsOf(source: TableSource, ...partitions: string[]) {
  const read = (raw: unknown): KeyedRow<DynamicEntity> => ({
    key: source.keyOf(raw as DynamicEntity),
    row: raw as DynamicEntity,
  })
  return partitions.map((partitionKey) => {
    const filter = comparison('PartitionKey', 'eq', literalOf(EntityProperty.string(partitionKey)))
    const schedule = scheduleOf(8)
    const run = { ...runOf(source, { filter }), reading: { read, isWanted: () => true } }
    const low = { partitionKey, rowKey: '' }
    const { isUnsorted } = source
    return new KeyedRows(rangeOf(run, schedule), { low, schedule, isUnsorted })
  })
}

it('merges streams that overlap, and yields a row of two of them once', async () => {
  const source = new TableSource(rowsAt('a/1', 'a/2', 'b/1'), { pageSize: 1 })
  const chunks = await gather(rowsInKeyOrder(streamsOf(source, 'a', 'a', 'b'), scheduleOf(8)))
  expect(keysOf(chunks.flat())).toEqual(['a/1', 'a/2', 'b/1'])
})

it('R-177: sorts the rows of a source that does not, and yields a row of two streams once', async () => {
  const keys = ['a/1', 'a/2', 'a/3', 'b/1', 'b/2']
  const source = new TableSource(rowsAt(...keys), { pageSize: 1, isUnsorted: true })
  const chunks = await gather(rowsInKeyOrder(streamsOf(source, 'a', 'a', 'b', 'c'), scheduleOf(8)))
  expect(keysOf(chunks.flat())).toEqual(keys)
})

it('does not wait for a stream that begins after the next row', async () => {
  const never = new Promise<void>(() => {})
  const source = new TableSource(rowsAt('a/1', 'a/2', 'b/1'), {
    before: (asked) => (asked.includes("'b'") ? never : undefined),
  })
  const rows = rowsInKeyOrder(streamsOf(source, 'a', 'b'), scheduleOf(8))
  expect(keysOf((await rows.next()).value ?? [])).toEqual(['a/1', 'a/2'])
})

it('begins no stream past the concurrency before its turn', async () => {
  const source = new TableSource(rowsAt('a/1', 'b/1', 'c/1'))
  const rows = rowsInKeyOrder(streamsOf(source, 'a', 'b', 'c'), scheduleOf(2))
  await rows.next()
  expect(source.questions).toHaveLength(2)
  await gather(rows)
  expect(source.questions).toHaveLength(3)
})

function streamOf(prefetch: boolean, ...keys: string[]) {
  const source = new TableSource(rowsAt(...keys), { pageSize: 1 })
  const schedule = scheduleOf(8, prefetch)
  // The source's rows are entities.
  const read = (raw: unknown): KeyedRow<DynamicEntity> => ({
    key: source.keyOf(raw as DynamicEntity),
    row: raw as DynamicEntity,
  })
  return {
    source,
    stream: new KeyedRows(
      rangeOf({ ...runOf(source), reading: { read, isWanted: () => true } }, schedule),
      { low: { partitionKey: '', rowKey: '' }, schedule, isUnsorted: false },
    ),
  }
}

describe('KeyedRows', () => {
  it('yields its rows one by one, to the end', async () => {
    const { stream } = streamOf(true, 'a/1', 'a/2')
    const taken: (string | undefined)[] = []
    for (;;) {
      await stream.fill()
      if (stream.ended) break
      expect(stream.head).toBeDefined()
      taken.push(stream.take()?.key.rowKey)
    }
    expect(taken).toEqual(['1', '2'])
    expect(stream.take()).toBeUndefined()
  })

  it('fetches nothing before it begins, and then once', () => {
    const { source, stream } = streamOf(true, 'a/1')
    expect(source.questions).toHaveLength(0)
    stream.begin()
    stream.begin()
    expect(source.questions).toHaveLength(1)
  })

  it('fetches the next page when one is consumed, with prefetch only', async () => {
    for (const prefetch of [true, false]) {
      const { source, stream } = streamOf(prefetch, 'a/1', 'a/2', 'a/3')
      await stream.fill()
      expect(source.questions).toHaveLength(1)
      stream.take()
      await new Promise(setImmediate)
      expect(source.questions).toHaveLength(prefetch ? 2 : 1)
    }
  })
})
