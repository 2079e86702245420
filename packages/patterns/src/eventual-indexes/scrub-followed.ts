import type { KeptTable } from '@rowkey/mapper'
import { type EntityKey, keyOfRaw, type RawEntity } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { type EntityIndex, isSameKey } from '../definitions/index-entry.ts'
import { etagOf, findStored } from '../rows/stored-row.ts'
import type { IndexFinding } from '../upkeep/index-finding.ts'
import { splitByRow } from '../upkeep/unreadable-row.ts'
import { followRow } from './follow-row.ts'

/** The compared indexes of one table. */
export interface FollowedScrub {
  readonly indexes: readonly EntityIndex[]
  readonly repair: boolean
  readonly options: CallOptions
  /** The table of the rows. */
  readonly table: KeptTable
  /** Tells whether the outbox still has a message about a row: then its entries are not due yet. */
  readonly isPending: (row: EntityKey) => Promise<boolean>
}

type Difference = Pick<IndexFinding, 'index' | 'kind'> & { readonly entry: EntityKey }

/** Compares a row with its entries. */
export async function scrubFollowedRow(
  scrub: FollowedScrub,
  raw: RawEntity,
): Promise<readonly IndexFinding[]> {
  const row = keyOfRaw(raw)
  let version = { raw, etag: etagOf(raw) }
  for (;;) {
    const { readable: indexes, unreadable } = splitByRow(scrub.indexes, version.raw)
    const compared = { ...scrub, indexes }
    const found = await differencesOf(compared, version.raw)
    if (found.length === 0 || (await scrub.isPending(row))) return unreadable
    const again = await findStored(scrub.table, row, scrub.options)
    if (again === undefined) return []
    // Of the same version, and without a message: what still differs is wrong.
    const isSame = again.etag === version.etag
    version = again
    if (!isSame) continue
    const wrong = await differencesOf(compared, again.raw)
    return [...unreadable, ...(wrong.length === 0 ? [] : await settled(compared, row, wrong))]
  }
}

async function differencesOf(
  { indexes, table, options }: FollowedScrub,
  raw: RawEntity,
): Promise<readonly Difference[]> {
  const compared = indexes.map(async (index): Promise<readonly Difference[]> => {
    const entry = index.entryOf(raw)
    if (entry === undefined) return []
    const stored = await findStored(index.tableFor(table), entry.key, options)
    if (stored !== undefined && index.isStoredAs(stored.raw, entry)) return []
    const kind = stored === undefined ? 'missing' : 'stale'
    return [{ index: index.name, kind, entry: entry.key }]
  })
  return (await Promise.all(compared)).flat()
}

/** Compares a stored entry with its row. */
export async function scrubFollowedEntry(
  scrub: FollowedScrub,
  index: EntityIndex,
  stored: RawEntity,
): Promise<readonly IndexFinding[]> {
  const { table, options } = scrub
  const row = index.rowOf(stored)
  const entry = keyOfRaw(stored)
  if (row === undefined || (await hasEntry(scrub, index, row, entry))) return []
  if (await scrub.isPending(row)) return []
  const again = await findStored(index.tableFor(table), entry, options)
  // A worker removed it, or the row has it by now.
  if (again === undefined || (await hasEntry(scrub, index, row, entry))) return []
  return settled(scrub, row, [{ index: index.name, kind: 'dangling', entry }])
}

async function hasEntry(
  { table, options }: FollowedScrub,
  index: EntityIndex,
  row: EntityKey,
  entry: EntityKey,
): Promise<boolean> {
  const found = await findStored(table, row, options)
  // The entry of an unreadable row stays: the row itself is the finding.
  if (found && splitByRow([index], found.raw).unreadable.length > 0) return true
  const own = found && index.entryOf(found.raw)
  return own !== undefined && isSameKey(own.key, entry)
}

async function settled(
  { indexes, table, repair, options }: FollowedScrub,
  row: EntityKey,
  wrong: readonly Difference[],
): Promise<readonly IndexFinding[]> {
  if (repair) {
    const entries = Object.fromEntries(wrong.map(({ index, entry }) => [index, [entry]]))
    await followRow(indexes, table, { row, entries }, options)
  }
  return wrong.map((each) => ({ ...each, row, repaired: repair }))
}
