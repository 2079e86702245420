import { requestsInOrder } from '@rowkey/mapper'
import type { EntityKey, RawEntity } from '@rowkey/odata'
import { type Call, type CallOptions, type Change, callOf } from '@rowkey/rest'
import type { ComparedPart, Comparison, DerivedFinding } from '../derived/compare.ts'
import { storeTogether } from '../rows/changes.ts'
import { isSameKey } from '../rows/stored-row.ts'
import { transactionsOf } from '../rows/transactions-of.ts'
import { compareRows, type Difference, type StoredEntries } from './compare-rows.ts'
import type { EntityIndex } from './index-entry.ts'
import {
  type EntryFollower,
  findings,
  type IndexScrub,
  repairOf,
  settleRow,
  type WrongRow,
  wrongRows,
} from './settle-row.ts'

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
    const { unreadable, differences } = compareRows(indexes, page, entries, scrub.table)
    if (isFirst) found.push(...unreadable)
    const own = differences.filter(({ key }) => has(key))
    found.push(...(await settleRows(wrongRows(own), scrub)))
    if (isCounted) rows += page.length
    await scrub.alive()
  }
  found.push(...(await settleRows(wrongRows(entries.left()), scrub)))
  return { rows, kept: entries.size, findings: found, next }
}

/** Settles rows, most of them together. */
async function settleRows(
  rows: readonly WrongRow[],
  scrub: IndexScrub,
): Promise<readonly DerivedFinding[]> {
  const { table, repair, follower } = scrub
  const isSure = (row: WrongRow) => repair && follower === undefined && row.every(hasNoRival)
  const single = rows.filter((row) => !isSure(row))
  const repairs = rows
    .filter(isSure)
    .map((row): RowRepair => ({ row, changes: repairOf(table.name, row) }))
  const repairAll = async (group: readonly RowRepair[], options: CallOptions) => {
    const changes = group.flatMap((each) => each.changes)
    if (await storeTogether(table, changes, options)) {
      return group.flatMap(({ row }) => findings(row, true))
    }
    single.push(...group.map(({ row }) => row))
    return []
  }
  const transactions = [...transactionsOf(repairs, table.service, scrub.options)]
  const repaired = await findAll(transactions, repairAll, scrub)
  const settle = (row: WrongRow, options: CallOptions) => settleRow({ ...scrub, options }, row)
  return [...repaired, ...(await findAll(single, settle, scrub))]
}

/** A row whose entries can be put right in one transaction with it, and with other rows. */
interface RowRepair {
  readonly row: WrongRow
  readonly changes: readonly Change[]
}

/** Tells whether an entry can be put right by what was read: the version of its row shows that nothing has changed since. */
function hasNoRival({ kind, index, row, raw, stored }: Difference): boolean {
  const owner = stored && index.rowOf(stored)
  return raw !== undefined && kind !== 'duplicate' && isSameKey(owner ?? row, row)
}

/** Compares items, as many at a time as the account allows, and returns what is wrong. */
async function findAll<Item>(
  items: readonly Item[],
  compare: (item: Item, options: CallOptions) => Promise<readonly DerivedFinding[]>,
  { table: { service }, concurrency, options, alive }: IndexScrub,
): Promise<readonly DerivedFinding[]> {
  const found: DerivedFinding[] = []
  const call = callOf(service, options, 'A run over indexes')
  const work = (item: Item, each: Call) => compare(item, each.options)
  for await (const each of requestsInOrder(call, items, work, { concurrency })) {
    found.push(...each)
    await alive()
  }
  return found
}
