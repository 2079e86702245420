import {
  ContinuationLoopError,
  dynamicQueryModel,
  type QueryPage,
  type QuerySource,
  queryOf,
  TableScanError,
} from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { queryNode, withChange } from '../../packages/query/src/query-node.ts'
import { queryPages } from '../../packages/query/src/query-pages.ts'
import { ArraySource } from './array-source.ts'

const node = withChange(queryNode(dynamicQueryModel('people')), { scans: 'tableScan' })

async function gather<Row>(pages: AsyncIterable<QueryPage<Row>>): Promise<QueryPage<Row>[]> {
  const gathered: QueryPage<Row>[] = []
  for await (const page of pages) gathered.push(page)
  return gathered
}

describe('queryPages', () => {
  it('follows empty pages to the end', async () => {
    const source = new ArraySource([1], [], [], [2, 3], [])
    const pages = await gather(queryPages(node, source, undefined, {}))
    expect(pages.map(({ items }) => items)).toEqual([[1], [], [], [2, 3], []])
    expect(pages.map(({ continuationToken }) => continuationToken)).toEqual([
      '1',
      '2',
      '3',
      '4',
      undefined,
    ])
  })

  it('begins a run once, and gives every page of it the same options', async () => {
    const source = new ArraySource([1], [2], [3])
    const seen: unknown[] = []
    let runs = 0
    const counted: QuerySource<number> = {
      beginRun: () => ({ timeout: ++runs }),
      fetchPage: (query, page, options) => {
        seen.push(options)
        return source.fetchPage(query, page, options)
      },
    }
    for (const run of [1, 2]) {
      await gather(queryPages(node, counted, undefined, { timeout: 99 }))
      expect(seen.splice(0)).toEqual([{ timeout: run }, { timeout: run }, { timeout: run }])
    }
  })

  it('asks for a page only when it is wanted', async () => {
    const source = new ArraySource([1], [2])
    const pages = queryPages(node, source, undefined, {})
    expect(source.calls).toHaveLength(0)
    await pages.next()
    expect(source.calls).toHaveLength(1)
    await pages.return()
    expect(source.calls).toHaveLength(1)
  })

  it('gives no token with a page that the limit cut, since it would skip rows', async () => {
    const source = new ArraySource([1, 2], [3, 4], [5])
    const pages = await gather(queryPages(withChange(node, { take: 3 }), source, undefined, {}))
    expect(pages).toEqual([{ items: [1, 2], continuationToken: '1' }, { items: [3] }])
  })

  it('keeps the token of a page that just meets the limit', async () => {
    const source = new ArraySource([1, 2], [3])
    const pages = await gather(queryPages(withChange(node, { take: 2 }), source, undefined, {}))
    expect(pages).toEqual([{ items: [1, 2], continuationToken: '1' }])
  })

  it('tells the source when the rows are projected', async () => {
    const source = new ArraySource([1], [2])
    await gather(queryPages(withChange(node, { select: ['age'] }), source, undefined, {}))
    expect(source.calls.map(({ page }) => page)).toEqual([
      { projected: true },
      { projected: true, continuationToken: '1' },
    ])
  })

  it('stops at a token that leads back to the same page', async () => {
    const source = { fetchPage: async () => ({ items: [], continuationToken: 'again' }) }
    const pages = queryPages(node, source, undefined, {})
    expect(await pages.next()).toMatchObject({ done: false })
    await expect(pages.next()).rejects.toThrow(ContinuationLoopError)
    await expect(gather(queryPages(node, source, 'again', {}))).rejects.toThrow(/people ended with/)
  })

  it('stops where two pages lead to each other', async () => {
    let calls = 0
    const source = {
      fetchPage: async () => ({ items: [], continuationToken: ++calls % 2 === 0 ? 'A' : 'B' }),
    }
    await expect(gather(queryPages(node, source, undefined, {}))).rejects.toThrow(
      ContinuationLoopError,
    )
    expect(calls).toBeLessThan(6)
  })

  it('R-40: refuses a table scan before anything is sent', async () => {
    const source = new ArraySource([1])
    const scan = queryNode(dynamicQueryModel('people'))
    await expect(gather(queryPages(scan, source, undefined, {}))).rejects.toThrow(TableScanError)
    expect(source.calls).toHaveLength(0)
    expect(queryOf(scan.model).explain().plan).toBe('tableScan')
  })

  it('passes on what the source throws', async () => {
    const source = { fetchPage: () => Promise.reject(new RangeError('gone')) }
    await expect(gather(queryPages(node, source, undefined, {}))).rejects.toThrow(RangeError)
  })
})
