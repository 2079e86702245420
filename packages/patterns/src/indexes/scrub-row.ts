import type { KeptTable } from '@rowkey/mapper'
import { type EntityKey, keyOfRaw, type RawEntity } from '@rowkey/odata'
import {
  type CallOptions,
  type Change,
  deleteEntityIfExists,
  ETagMismatchError,
  entityGroupTransaction,
  perform,
} from '@rowkey/rest'
import { isConflict } from '../conflicts/retry-conflicts.ts'
import type { EntityIndex, IndexEntry } from '../definitions/index-entry.ts'
import { UniqueValueError } from '../errors/unique-value-error.ts'
import { untouched } from '../rows/kept-rows.ts'
import { etagOf, findStored, isSameKey } from '../rows/stored-row.ts'
import type { IndexFinding } from '../upkeep/index-finding.ts'
import { splitByRow } from '../upkeep/unreadable-row.ts'
import { currentOwner, entryWrite } from './entry-write.ts'

/** How often a row that writers change is compared again. */
const MAX_ATTEMPTS = 10

/** How single rows and entries are compared, with reads of their own. */
export interface RowScrub {
  /** The table of the rows. */
  readonly table: KeptTable
  readonly indexes: readonly EntityIndex[]
  /** Whether to write what is missing, too. */
  readonly repair: boolean
  readonly options: CallOptions
  /** Brings entries in step later; absent for entries that are written together with their rows. */
  readonly follower?: EntryFollower | undefined
}

/** Brings the entries of a row in step after its write. */
export interface EntryFollower {
  /** Tells whether a message about a row waits: a worker will bring its entries in step. */
  isPending(row: EntityKey): Promise<boolean>
  /** Brings entries in step now. */
  follow(
    indexes: readonly EntityIndex[],
    row: EntityKey,
    entries: Readonly<Record<string, readonly EntityKey[]>>,
    options: CallOptions,
  ): Promise<void>
}

/** An entry that differs from its row. */
interface WrongEntry {
  readonly index: EntityIndex
  readonly entry: IndexEntry
  readonly kind: 'missing' | 'stale' | 'duplicate'
}

/**
 * Compares a row with its entries, and writes them anew if asked to. A difference counts when the row still is the one that was compared, and
 * no message about it waits.
 *
 * @param scrub - how
 * @param raw - the row as it was read
 * @returns what was wrong; nothing when the row is gone
 */
export async function scrubRow(scrub: RowScrub, raw: RawEntity): Promise<readonly IndexFinding[]> {
  const { table, repair, follower, options } = scrub
  const key = keyOfRaw(raw)
  let row = raw
  for (let attempt = 1; ; attempt++) {
    const { readable: indexes, unreadable } = splitByRow(scrub.indexes, row)
    const compared = { ...scrub, indexes }
    const different = await wrongEntries(compared, row)
    if (different.length === 0 || (await follower?.isPending(key))) return unreadable
    const again = await findStored(table, key, options)
    if (again === undefined) return []
    const isSame = again.etag === etagOf(row)
    row = { ...again.raw, 'odata.etag': again.etag }
    if (!isSame && attempt < MAX_ATTEMPTS) continue
    // A worker may have ended its message after the entries were read.
    const wrong = follower === undefined ? different : await wrongEntries(compared, row)
    const isStored = repair && (await storeEntries(compared, row, wrong))
    if (!repair || isStored || attempt === MAX_ATTEMPTS) {
      return [...unreadable, ...findings(wrong, key, isStored)]
    }
  }
}

/** Finds the entries of a row that are not as they should be. */
async function wrongEntries(
  { table, indexes, options }: RowScrub,
  row: RawEntity,
): Promise<readonly WrongEntry[]> {
  const compared = indexes.map(async (index): Promise<WrongEntry | undefined> => {
    const entry = index.entryOf(row)
    const stored = entry && (await findStored(index.tableFor(table), entry.key, options))
    if (entry === undefined) return undefined
    if (stored === undefined) return { index, entry, kind: 'missing' }
    if (index.isStoredAs(stored.raw, entry)) return undefined
    if (!index.isUnique) return { index, entry, kind: 'stale' }
    const owner = await currentOwner(index, table, { entry, stored }, options)
    const isTaken = owner !== undefined && owner !== entry.row.rowKey
    return { index, entry, kind: isTaken ? 'duplicate' : 'stale' }
  })
  return (await Promise.all(compared)).flatMap((each) => each ?? [])
}

/** Writes entries; returns whether they are as they should be now. */
async function storeEntries(
  { table, indexes, options, follower }: RowScrub,
  row: RawEntity,
  wrong: readonly WrongEntry[],
): Promise<boolean> {
  if (follower !== undefined) {
    const entries = wrong.map(({ index, entry }) => [index.name, [entry.key]] as const)
    if (wrong.length > 0) {
      await follower.follow(indexes, keyOfRaw(row), Object.fromEntries(entries), options)
    }
    return true
  }
  const call = { table, attempt: 2, options }
  try {
    const changes: Change[] = []
    for (const { index, entry: after, kind } of wrong) {
      if (kind === 'duplicate') continue
      const changed = { index, before: undefined, after, isNewRow: false, rival: undefined }
      const write = await entryWrite(changed, call)
      if (write !== undefined) changes.push(write.change)
    }
    if (changes.length === 0) return true
    const input = {
      table: table.name,
      changes: [untouched(table.name, keyOfRaw(row), etagOf(row)), ...changes],
    }
    await perform(table.service, entityGroupTransaction, input, options)
    return true
  } catch (error) {
    if (error instanceof UniqueValueError || isConflict(error)) return false
    throw error
  }
}

function findings(
  wrong: readonly WrongEntry[],
  row: EntityKey,
  repaired: boolean,
): readonly IndexFinding[] {
  return wrong.map(({ index, entry, kind }) => ({
    index: index.name,
    kind,
    row,
    entry: entry.key,
    repaired: repaired && kind !== 'duplicate',
  }))
}

/**
 * Checks that the row of an entry has it, and removes the entry otherwise if asked to.
 *
 * @param scrub - how
 * @param index - the index of the entry
 * @param stored - the entry as it was read
 * @returns what was wrong
 */
export async function scrubEntry(
  scrub: RowScrub,
  index: EntityIndex,
  stored: RawEntity,
): Promise<readonly IndexFinding[]> {
  const { table, repair, options, follower } = scrub
  const entry = keyOfRaw(stored)
  const row = index.rowOf(stored)
  if (row === undefined || (await hasEntry(scrub, index, row, entry))) return []
  const finding = { index: index.name, kind: 'dangling', row, entry } as const
  if (follower === undefined && repair) {
    return (await removeEntry(table, stored, options)) ? [{ ...finding, repaired: true }] : []
  }
  if (await follower?.isPending(row)) return []
  const again = await findStored(index.tableFor(table), entry, options)
  if (again === undefined) return []
  if (follower === undefined) {
    return again.etag === etagOf(stored) ? [{ ...finding, repaired: false }] : []
  }
  // The row may have it by now.
  if (await hasEntry(scrub, index, row, entry)) return []
  if (repair) await follower.follow([index], row, { [index.name]: [entry] }, options)
  return [{ ...finding, repaired: repair }]
}

/** Tells whether an entry is that of a row. The entry of an unreadable row stays: the row itself is the finding. */
async function hasEntry(
  { table, options }: RowScrub,
  index: EntityIndex,
  row: EntityKey,
  entry: EntityKey,
): Promise<boolean> {
  const found = await findStored(table, row, options)
  if (found === undefined) return false
  if (splitByRow([index], found.raw).unreadable.length > 0) return true
  const own = index.entryOf(found.raw)
  return own !== undefined && isSameKey(own.key, entry)
}

/** Removes an entry; returns whether it still was the one that was read. */
async function removeEntry(
  { service, name: table }: KeptTable,
  stored: RawEntity,
  options: CallOptions,
): Promise<boolean> {
  try {
    const input = { table, key: keyOfRaw(stored), body: '', etag: etagOf(stored) }
    await perform(service, deleteEntityIfExists, input, options)
    return true
  } catch (error) {
    // A write stored the entry anew, and then it is right.
    if (error instanceof ETagMismatchError) return false
    throw error
  }
}
