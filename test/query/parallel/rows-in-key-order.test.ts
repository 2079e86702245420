import { comparison, type DynamicEntity, EntityProperty, literalOf } from '@rowkey/odata'
import { expect, it } from 'vitest'
import { type KeyedRow, KeyedRows } from '../../../packages/query/src/parallel/keyed-rows.ts'
import { RequestGate } from '../../../packages/query/src/parallel/request-gate.ts'
import { rowsInKeyOrder } from '../../../packages/query/src/parallel/rows-in-key-order.ts'
import { gather, runOf } from '../run-of.ts'
import { keysOf, rowsAt, TableSource } from '../table-source.ts'

/** Streams of whole partitions of one table, begun in this order. */
function streamsOf(source: TableSource, ...partitions: string[]) {
  const read = (raw: unknown): KeyedRow<DynamicEntity> => ({
    key: source.keyOf(raw as DynamicEntity),
    row: raw as DynamicEntity,
  })
  return partitions.map((partitionKey) => {
    const filter = comparison('PartitionKey', 'eq', literalOf(EntityProperty.string(partitionKey)))
    return new KeyedRows(
      { ...runOf(source, { filter }), read },
      { partitionKey, rowKey: '' },
      new RequestGate(8),
    )
  })
}

it('merges streams that overlap, a row of two of them once', async () => {
  const source = new TableSource(rowsAt('a/1', 'a/2', 'b/1'), { pageSize: 1 })
  const chunks = await gather(rowsInKeyOrder(streamsOf(source, 'a', 'a', 'b'), 8))
  expect(keysOf(chunks.flat())).toEqual(['a/1', 'a/2', 'b/1'])
})

it('needs no answer of a stream that begins after the row that comes next', async () => {
  const never = new Promise<void>(() => {})
  const source = new TableSource(rowsAt('a/1', 'a/2', 'b/1'), {
    before: (asked) => (asked.includes("'b'") ? never : undefined),
  })
  const rows = rowsInKeyOrder(streamsOf(source, 'a', 'b'), 8)
  expect(keysOf((await rows.next()).value ?? [])).toEqual(['a/1', 'a/2'])
})

it('begins no stream past the concurrency before its turn', async () => {
  const source = new TableSource(rowsAt('a/1', 'b/1', 'c/1'))
  const rows = rowsInKeyOrder(streamsOf(source, 'a', 'b', 'c'), 2)
  await rows.next()
  expect(source.questions).toHaveLength(2)
  await gather(rows)
  expect(source.questions).toHaveLength(3)
})
