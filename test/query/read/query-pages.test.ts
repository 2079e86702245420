import { type QuerySource, queryOf } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { queryPages } from '../../../packages/query/src/read/query-pages.ts'
import { tableScan } from '../../support/rejections.ts'
import { ArraySource } from '../array-source.ts'
import { everything, gather, runOf } from '../run-of.ts'

describe('queryPages', () => {
  it('begins a run once, and passes the same options to every page', async () => {
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
      await gather(queryPages(runOf(counted, {}, { options: { timeout: 99 } })))
      expect(seen.splice(0)).toEqual([{ timeout: run }, { timeout: run }, { timeout: run }])
    }
  })

  it('R-40: rejects a table scan before anything is sent', async () => {
    const source = new ArraySource([1])
    const pages = queryPages(runOf(source, { scans: 'tableRange' }))
    await expect(gather(pages)).rejects.toThrow(tableScan)
    expect(source.calls).toHaveLength(0)
    expect(queryOf(everything.model).explain().plan).toBe('tableScan')
  })

  it('begins at the token of the caller', async () => {
    const source = new ArraySource([1], [2], [3])
    const pages = await gather(queryPages(runOf(source), '1'))
    expect(pages.map(({ items }) => items)).toEqual([[2], [3]])
  })
})
