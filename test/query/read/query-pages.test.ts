import { queryOf } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { queryPages } from '../../../packages/query/src/read/query-pages.ts'
import { tableScan } from '../../support/rejections.ts'
import { ArraySource } from '../array-source.ts'
import { everything, gather, runOf } from '../run-of.ts'
import { keysOf, rowsAt, TableSource } from '../table-source.ts'

const ROWS = [...'abcdefghij'].map((row) => `p/${row}`)

/** Reads 8 of 10 unsorted rows in pages of 5, deletes some, and reads the others in pages of 2. */
async function continueInSmallerPages(deleted = ''): Promise<string[]> {
  const whole = new TableSource(rowsAt(...ROWS), { isUnsorted: true, pageSize: 5 })
  const [, second] = await gather(queryPages(runOf(whole, { take: 8 })))
  const left = ROWS.filter((key) => !deleted.includes(key))
  const smaller = new TableSource(rowsAt(...left), { isUnsorted: true, pageSize: 2 })
  const pages = await gather(queryPages(runOf(smaller), second?.continuationToken))
  return pages.flatMap(({ items }) => keysOf(items))
}

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

  it('R-177: returns each unsorted row once when later pages are smaller', async () => {
    expect(await continueInSmallerPages()).toEqual(['p/b', 'p/a'])
  })

  it.each(['p/c', 'p/e p/d', 'p/e p/d p/c'])(
    'R-177: loses no unsorted row in smaller pages when these were deleted: %s',
    async (deleted) => {
      const rows = await continueInSmallerPages(deleted)
      expect(rows.slice(-2)).toEqual(['p/b', 'p/a'])
    },
  )
})
