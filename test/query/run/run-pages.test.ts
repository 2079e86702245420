import { parseFilter } from '@rowkey/odata'
import {
  dynamicQueryModel,
  type QueryPage,
  type QuerySource,
  queryNode,
  type ScanPolicy,
} from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { withFilter } from '../../../packages/query/src/node/query-node.ts'
import { checkScan, PageFetcher } from '../../../packages/query/src/run/run-pages.ts'
import { continuationLoop, partitionScan, tableScan } from '../../support/rejections.ts'
import { ArraySource } from '../array-source.ts'
import { gather, pagesOf, runOf } from '../run-of.ts'

const ahead = { prefetch: true }

describe('runPages', () => {
  it('R-32: follows empty pages to the end', async () => {
    const source = new ArraySource([1], [], [], [2, 3], [])
    const pages = await gather(pagesOf(runOf(source)))
    expect(pages.map(({ items }) => items)).toEqual([[1], [], [], [2, 3], []])
    expect(pages.map(({ continuationToken }) => continuationToken)).toEqual([
      '1',
      '2',
      '3',
      '4',
      undefined,
    ])
  })

  it('fetches a page only when it is wanted', async () => {
    const source = new ArraySource([1], [2])
    const pages = pagesOf(runOf(source))
    expect(source.calls).toHaveLength(0)
    await pages.next()
    expect(source.calls).toHaveLength(1)
    await pages.return()
    expect(source.calls).toHaveLength(1)
  })

  it('continues right after the last row of a page that the limit ended', async () => {
    const source = new ArraySource([1, 2], [3, 4], [5])
    const pages = await gather(pagesOf(runOf(source, { take: 3 })))
    const cut = pages[1]?.continuationToken
    expect(pages).toEqual([
      { items: [1, 2], continuationToken: '1' },
      { items: [3], continuationToken: expect.stringMatching(/^~p[\w-]+$/) },
    ])
    expect(await gather(pagesOf(runOf(source), cut))).toEqual([
      { items: [4], continuationToken: '2' },
      { items: [5] },
    ])
  })

  it('keeps the token of a page that exactly meets the limit', async () => {
    const source = new ArraySource([1, 2], [3])
    const pages = await gather(pagesOf(runOf(source, { take: 2 })))
    expect(pages).toEqual([{ items: [1, 2], continuationToken: '1' }])
  })

  it('passes a projection to the source', async () => {
    const source = new ArraySource([1], [2])
    await gather(pagesOf(runOf(source, { select: ['age'] })))
    expect(source.calls.map(({ page }) => page)).toEqual([
      { projected: true },
      { projected: true, continuationToken: '1' },
    ])
  })

  it('stops at a token that leads back to the same page', async () => {
    const source = { fetchPage: async () => ({ items: [], continuationToken: 'again' }) }
    const pages = pagesOf(runOf(source))
    for (let page = 0; page < 11; page++) {
      expect(await pages.next()).toMatchObject({ done: false })
    }
    await expect(pages.next()).rejects.toThrow(continuationLoop)
    const full = { fetchPage: async () => ({ items: [1], continuationToken: 'again' }) }
    await expect(gather(pagesOf(runOf(full), 'again'))).rejects.toThrow(/people ended with/)
  })

  it('stops where two pages lead to each other', async () => {
    let calls = 0
    const source = {
      fetchPage: async () => ({ items: [], continuationToken: ++calls % 2 === 0 ? 'A' : 'B' }),
    }
    await expect(gather(pagesOf(runOf(source)))).rejects.toThrow(continuationLoop)
    expect(calls).toBeLessThan(6)
  })

  it('throws what the source throws', async () => {
    const source = { fetchPage: () => Promise.reject(new RangeError('gone')) }
    await expect(gather(pagesOf(runOf(source)))).rejects.toThrow(RangeError)
  })

  it('reads no rows past the limit', async () => {
    const read: unknown[] = []
    const run = runOf(new ArraySource([1, 2, 3]), { take: 2 })
    const note = (raw: unknown) => read.push(raw)
    await gather(pagesOf({ ...run, reading: { read: note, isWanted: () => true } }))
    expect(read).toEqual([1, 2])
  })

  it('limits the rows that a local filter keeps', async () => {
    const source = new ArraySource([1, 2, 3], [4, 5, 6], [7])
    const isEven = (row: unknown) => Number(row) % 2 === 0
    const pages = await gather(pagesOf(runOf(source, { take: 2, localTests: [isEven] })))
    expect(pages.map(({ items }) => items)).toEqual([[2], [4]])
    const rest = pagesOf(runOf(source, { localTests: [isEven] }), pages[1]?.continuationToken)
    expect((await gather(rest)).map(({ items }) => items)).toEqual([[6], []])
    const all = await gather(pagesOf(runOf(source, { localTests: [isEven] })))
    expect(all.map(({ items }) => items)).toEqual([[2], [4, 6], []])
  })
})

describe('runPages with prefetch', () => {
  it('fetches one page ahead while one is consumed, and never two', async () => {
    const source = new ArraySource([1], [2], [3])
    const asked: number[] = []
    for await (const _page of pagesOf(runOf(source, {}, ahead))) asked.push(source.calls.length)
    expect(asked).toEqual([2, 3, 3])
  })

  it('returns with each page the token of its own end', async () => {
    const pages = await gather(pagesOf(runOf(new ArraySource([1], [2], [3]), {}, ahead)))
    expect(pages).toEqual([
      { items: [1], continuationToken: '1' },
      { items: [2], continuationToken: '2' },
      { items: [3] },
    ])
  })

  it('R-34: fetches nothing beyond the limit', async () => {
    const source = new ArraySource([1, 2], [3, 4], [5])
    await gather(pagesOf(runOf(source, { take: 4 }, ahead)))
    expect(source.calls).toHaveLength(2)
  })

  it('cancels the pending page when the loop is left', async () => {
    const source = new ArraySource([1], [2], [3])
    for await (const _page of pagesOf(runOf(source, {}, ahead))) break
    expect(source.calls.map(({ options }) => options.signal?.aborted)).toEqual([undefined, true])
  })

  it('ignores the error of a page that is no longer wanted', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    for await (const _page of pagesOf(runOf(failingAtSecond, {}, ahead))) break
    // Node reports an unhandled rejection when the microtasks are done.
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })

  it('throws the error of a page when the consumer comes to it, and not before', async () => {
    const pages = pagesOf(runOf(failingAtSecond, {}, ahead))
    expect((await pages.next()).value).toMatchObject({ items: [1] })
    await expect(pages.next()).rejects.toThrow('second')
  })

  it("cancels the pending page when the caller's signal aborts", async () => {
    const controller = new AbortController()
    const source = new ArraySource([1], [2])
    const run = runOf(source, {}, { ...ahead, options: { signal: controller.signal } })
    const pages = pagesOf(run)
    await pages.next()
    controller.abort(new RangeError('enough'))
    expect(source.calls[1]?.options.signal?.reason).toEqual(new RangeError('enough'))
  })
})

const failingAtSecond: QuerySource<number> = {
  async fetchPage(_query, { continuationToken }): Promise<QueryPage<number>> {
    if (continuationToken === 'second') throw new RangeError('second')
    return { items: [1], continuationToken: 'second' }
  },
}

it('fetches a page once that was fetched ahead', async () => {
  const source = new ArraySource(['a'], ['b'])
  const fetcher = new PageFetcher(runOf(source))
  expect(await fetcher.fetch(undefined)).toEqual({ items: ['a'], continuationToken: '1' })
  fetcher.fetchAhead('1')
  expect(await fetcher.fetch('1')).toEqual({ items: ['b'] })
  expect(source.calls).toHaveLength(2)
})

it('cancels a page that is no longer wanted, and none that is in use', async () => {
  const source = new ArraySource(['a'], ['b'], ['c'])
  const fetcher = new PageFetcher(runOf(source))
  fetcher.fetchAhead('1')
  await fetcher.fetch('1')
  fetcher.stop()
  expect(source.calls[0]?.options.signal?.aborted).toBe(false)
  fetcher.fetchAhead('2')
  fetcher.stop()
  expect(source.calls[1]?.options.signal?.aborted).toBe(true)
})

it('rejects when the source throws', async () => {
  const source = {
    fetchPage: () => {
      throw new RangeError('at once')
    },
  }
  await expect(new PageFetcher(runOf(source)).fetch(undefined)).rejects.toThrow('at once')
})

it('does not use a page that came ahead once the signal has aborted, and asks the source why', async () => {
  const controller = new AbortController()
  const source = new ArraySource(['a'], ['b'])
  const fetcher = new PageFetcher(runOf(source, {}, { options: { signal: controller.signal } }))
  fetcher.fetchAhead('1')
  controller.abort(new RangeError('enough'))
  await expect(fetcher.fetch('1')).rejects.toThrow('enough')
  expect(source.calls[0]?.options.signal?.aborted).toBe(true)
})

const check = (filter: string, scans?: ScanPolicy) => () =>
  checkScan(withFilter(queryNode(dynamicQueryModel('people'), scans), parseFilter(filter)!))

const partition = "PartitionKey eq 'Smith'"
const partitions = "PartitionKey ge 'A' and PartitionKey lt 'B'"

it('R-40: rejects a table scan, and names both ways out', () => {
  expect(check('age gt 30')).toThrow(tableScan)
  expect(check('age gt 30')).toThrow(
    /people does not bound PartitionKey.*whole table.*age gt 30.*condition on PartitionKey.*allowTableScan/,
  )
  expect(check('age gt 30', 'tableScan')).not.toThrow()
})

it('allows partitions and ranges of them by default', () => {
  expect(check(partition)).not.toThrow()
  expect(check(partitions)).not.toThrow()
})

it('rejects a partition scan where the policy excludes it, and names both ways out', () => {
  expect(check(partition, 'none')).toThrow(partitionScan)
  expect(check(partition, 'none')).toThrow(
    /does not bound RowKey.*whole partition.*condition on RowKey.*allowPartitionScan/,
  )
  expect(check(`${partition} and RowKey ge 'A'`, 'none')).not.toThrow()
})

it('rejects a range of partitions where the policy excludes it', () => {
  expect(check(partitions, 'partitionScan')).toThrow(tableScan)
  expect(check(partitions, 'none')).toThrow(/every partition of a range/)
  expect(check(partitions, 'none')).toThrow(
    expect.objectContaining({ details: { model: 'people', filter: partitions } }),
  )
})
