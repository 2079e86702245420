import { BoundQuery, bindQuery, dynamicQueryModel, RunnableQuery } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { withChange } from '../../packages/query/src/query-node.ts'
import { ArraySource } from './array-source.ts'
import { everything } from './run-of.ts'

const threePages = () => new ArraySource([1, 2], [3], [4])
const query = (source: ArraySource<number>) =>
  bindQuery(dynamicQueryModel('people'), source).allowTableScan()

describe('RunnableQuery', () => {
  it('is what a bound query can be run as', () => {
    expect(query(threePages())).toBeInstanceOf(RunnableQuery)
    expect(query(threePages())).toBeInstanceOf(BoundQuery)
  })

  it('fetches rows ahead, and pages only when it is told to', async () => {
    const source = threePages()
    for await (const _row of query(source)) break
    expect(source.calls).toHaveLength(2)
    const pages = threePages()
    await query(pages).byPage().next()
    expect(pages.calls).toHaveLength(1)
    const ahead = threePages()
    await query(ahead).prefetch(true).byPage().next()
    expect(ahead.calls).toHaveLength(2)
  })

  it('gives rows one by one with the options of a run, also of several queries at once', async () => {
    const seen: number[] = []
    const controller = new AbortController()
    const source = threePages()
    const rows = query(source).rows({ signal: controller.signal })
    await expect(async () => {
      for await (const row of rows) {
        seen.push(row)
        controller.abort(new RangeError('enough'))
      }
    }).rejects.toThrow('enough')
    expect(seen).toEqual([1, 2])
    const both = query(threePages()).inPartitions(['a', 'b'], { order: 'arrival' })
    const stopped = both.rows({ signal: AbortSignal.abort(new RangeError('before')) })
    await expect(stopped.next()).rejects.toThrow('before')
  })

  it('asks for no page ahead of the first row', async () => {
    const source = threePages()
    expect(await query(source).first()).toBe(1)
    expect(source.calls).toHaveLength(1)
  })

  it('counts what a filter on this side lets through', async () => {
    const isEven = (row: unknown) => Number(row) % 2 === 0
    const node = withChange(everything, { localFilter: isEven })
    expect(await new BoundQuery(node, threePages()).count()).toBe(2)
  })
})
