import { bindQuery, dynamicQueryModel, IterableQuery } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { ArraySource } from './array-source.ts'

const query = (source: ArraySource<number>) =>
  bindQuery(dynamicQueryModel('people'), source).allowTableScan()

describe('IterableQuery', () => {
  it('is what a query bound to a source is', () => {
    expect(query(new ArraySource())).toBeInstanceOf(IterableQuery)
  })

  it('R-141: calls a function with each row, 8 at a time unless it is said', async () => {
    let underWay = 0
    const most: number[] = []
    const rows = Array.from({ length: 20 }, (_, row) => row)
    const handled = async (concurrency?: number) => {
      let peak = 0
      await query(new ArraySource(rows)).forEach(
        async () => {
          peak = Math.max(peak, ++underWay)
          await new Promise<void>((resolve) => setImmediate(resolve))
          underWay--
        },
        concurrency === undefined ? undefined : { concurrency },
      )
      most.push(peak)
    }
    await handled()
    await handled(3)
    await handled(100)
    expect(most).toEqual([8, 3, 20])
  })

  it('hands the source what it knows of the options, and its limit to all rows', async () => {
    const source = new ArraySource([1, 2], [3, 4])
    const seen: number[] = []
    await query(source)
      .take(3)
      .forEach(
        async (row) => {
          seen.push(row)
        },
        { concurrency: 1, timeout: 5 },
      )
    expect(seen).toEqual([1, 2, 3])
    expect(source.calls[0]?.options).toMatchObject({ timeout: 5 })
    expect(source.calls[0]?.options).not.toHaveProperty('concurrency')
  })
})
