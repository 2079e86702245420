import { queryOf } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { queryPages } from '../../../packages/query/src/read/query-pages.ts'
import { tableScan } from '../../support/rejections.ts'
import { ArraySource } from '../array-source.ts'
import { everything, gather, runOf } from '../run-of.ts'

describe('queryPages', () => {
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
