import type { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { type KeyedRow, KeyedRows } from '../../../packages/query/src/parallel/keyed-rows.ts'
import { RequestGate } from '../../../packages/query/src/parallel/request-gate.ts'
import { runOf } from '../run-of.ts'
import { rowsAt, TableSource } from '../table-source.ts'

function streamOf(prefetch: boolean, ...keys: string[]) {
  const source = new TableSource(rowsAt(...keys), { pageSize: 1 })
  const run = runOf(source, {}, { prefetch })
  // The source's rows are entities.
  const read = (raw: unknown): KeyedRow<DynamicEntity> => ({
    key: source.keyOf(raw as DynamicEntity),
    row: raw as DynamicEntity,
  })
  return {
    source,
    stream: new KeyedRows({ ...run, read }, { partitionKey: '', rowKey: '' }, new RequestGate(8)),
  }
}

describe('KeyedRows', () => {
  it('gives its rows one by one, to the end', async () => {
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

  it('asks for nothing before it begins, and then once', () => {
    const { source, stream } = streamOf(true, 'a/1')
    expect(source.questions).toHaveLength(0)
    stream.begin()
    stream.begin()
    expect(source.questions).toHaveLength(1)
  })

  it('asks for the next page when one is consumed, unless told not to', async () => {
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
