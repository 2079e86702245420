import type { EntityKey, RawEntity } from '@rowkey/odata'
import type { ComparedPart, Comparison, DerivedFinding } from '../derived/compare.ts'
import { compareRows, type StoredEntries } from './compare-rows.ts'
import type { EntityIndex } from './index-entry.ts'
import { type EntryFollower, type IndexScrub, wrongRows } from './settle-row.ts'
import { settleRows } from './settle-rows.ts'

/** Some entries, and all rows that may have them. */
export interface Slice {
  readonly indexes: readonly EntityIndex[]
  readonly entries: StoredEntries
  /** The rows, page by page; they are read when they are compared. */
  readonly pages: Iterable<readonly RawEntity[]> | AsyncIterable<readonly RawEntity[]>
  /** Tells whether an entry is one of these, if it is stored. */
  readonly has: (key: EntityKey) => boolean
  /** Whether no earlier slice has these rows; an earlier one has reported the unreadable rows. */
  readonly isFirst: boolean
  /** Whether its rows count. */
  readonly isCounted: boolean
  /** Where the next slice begins; `undefined` at the end. */
  readonly next: string | undefined
}

/** Reads the slices of a table from a place on. */
type Slices = (scrub: IndexScrub, from: string | undefined) => AsyncIterable<Slice>

/**
 * Makes the comparison of indexes. It compares each slice of the table in memory. Each difference is read again before it counts, or is
 * repaired on condition of what was read.
 *
 * @param slices - reads the rows and their entries
 * @param follower - brings entries in other partitions in step
 */
export function comparisonOf(
  slices: Slices,
  follower?: (scrub: IndexScrub) => EntryFollower,
): Comparison<EntityIndex> {
  return async function* (scrub, from) {
    for await (const slice of slices(scrub, from)) {
      const own = { ...scrub, definitions: slice.indexes }
      yield compareSlice(slice, { ...own, follower: follower?.(own) })
    }
  }
}

async function compareSlice(
  { indexes, entries, pages, has, isFirst, isCounted, next }: Slice,
  scrub: IndexScrub,
): Promise<ComparedPart> {
  const found: DerivedFinding[] = []
  let rows = 0
  for await (const page of pages) {
    await scrub.alive()
    const { unreadable, differences } = compareRows(indexes, page, entries, scrub.table)
    if (isFirst) found.push(...unreadable)
    const own = differences.filter(({ key }) => has(key))
    found.push(...(await settleRows(wrongRows(own), scrub)))
    if (isCounted) rows += page.length
  }
  found.push(...(await settleRows(wrongRows(entries.left()), scrub)))
  return { rows, kept: entries.size, findings: found, next }
}
