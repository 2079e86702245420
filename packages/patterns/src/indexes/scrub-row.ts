import type { KeptTable } from '@rowkey/mapper'
import { keyOfRaw, type RawEntity } from '@rowkey/odata'
import {
  type CallOptions,
  type Change,
  deleteEntityIfExists,
  ETagMismatchError,
  entityGroupTransaction,
  mergeEntity,
  perform,
} from '@rowkey/rest'
import { isConflict } from '../conflicts/retry-conflicts.ts'
import type { EntityIndex, IndexEntry } from '../definitions/index-entry.ts'
import { UniqueValueError } from '../errors/unique-value-error.ts'
import { etagOf, findStored } from '../rows/stored-row.ts'
import type { IndexFinding } from '../upkeep/index-finding.ts'
import { splitByRow } from '../upkeep/unreadable-row.ts'
import { currentOwner, entryWrite } from './entry-write.ts'

/** How often a row is compared anew when other programs keep writing it. */
const MAX_ATTEMPTS = 10

/** The compared indexes of one table. */
interface RowScrub {
  readonly table: KeptTable
  readonly indexes: readonly EntityIndex[]
  readonly repair: boolean
  readonly options: CallOptions
}

/** An entry that a row should have, and the row that is stored instead. */
interface WrongEntry {
  readonly index: EntityIndex
  readonly entry: IndexEntry
  readonly kind: 'missing' | 'stale' | 'duplicate'
}

/**
 * Compares a row with its entries, and stores those that are missing or stale.
 *
 * A repair writes the row, too, unchanged and on condition of its ETag. Every other writer of its entries does
 * the same, so of two that meet one is rejected and starts again.
 */
export async function scrubRow(scrub: RowScrub, row: RawEntity): Promise<readonly IndexFinding[]> {
  let current = row
  for (let attempt = 1; ; attempt++) {
    const { readable: indexes, unreadable } = splitByRow(scrub.indexes, current)
    const wrong = await wrongEntries({ ...scrub, indexes }, current)
    const isStored = scrub.repair && (await storeEntries(scrub, current, wrong))
    if (wrong.length === 0 || isStored || attempt === MAX_ATTEMPTS) {
      return [...unreadable, ...findings(wrong, current, isStored)]
    }
    const again = await findStored(scrub.table, keyOfRaw(current), scrub.options)
    if (again === undefined) return []
    // While the row is the one that was compared, the difference is real.
    const isSame = again.etag === etagOf(current)
    if (isSame && !scrub.repair) return [...unreadable, ...findings(wrong, current, false)]
    current = { ...again.raw, 'odata.etag': again.etag }
  }
}

async function wrongEntries(
  { table, indexes, options }: RowScrub,
  row: RawEntity,
): Promise<readonly WrongEntry[]> {
  const compared = indexes.map(async (index): Promise<WrongEntry | undefined> => {
    const entry = index.entryOf(row)
    const stored = entry && (await findStored(table, entry.key, options))
    if (entry === undefined) return undefined
    if (stored === undefined) return { index, entry, kind: 'missing' }
    if (index.isStoredAs(stored.raw, entry)) return undefined
    const owner = await currentOwner(index, table, { entry, stored }, options)
    const isTaken = owner !== undefined && owner !== entry.row.rowKey
    return { index, entry, kind: isTaken ? 'duplicate' : 'stale' }
  })
  return (await Promise.all(compared)).flatMap((each) => each ?? [])
}

/**
 * Stores entries together with their unchanged row.
 *
 * @returns false when another program wrote the row or an entry first
 */
async function storeEntries(
  { table, options }: RowScrub,
  row: RawEntity,
  wrong: readonly WrongEntry[],
): Promise<boolean> {
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
    const input = { table: table.name, changes: [untouched(table.name, row), ...changes] }
    await perform(table.service, entityGroupTransaction, input, options)
    return true
  } catch (error) {
    if (error instanceof UniqueValueError || isConflict(error)) return false
    throw error
  }
}

/** A merge of nothing: it only requires the ETag. */
export function untouched(table: string, row: RawEntity): Change {
  const key = keyOfRaw(row)
  const body = JSON.stringify({ PartitionKey: key.partitionKey, RowKey: key.rowKey })
  return { operation: mergeEntity, input: { table, key, body, etag: etagOf(row) } }
}

function findings(
  wrong: readonly WrongEntry[],
  row: RawEntity,
  repaired: boolean,
): readonly IndexFinding[] {
  return wrong.map(({ index, entry, kind }) => ({
    index: index.name,
    kind,
    row: keyOfRaw(row),
    entry: entry.key,
    repaired: repaired && kind !== 'duplicate',
  }))
}

/** Compares a stored entry with its row, and removes it when the row has another entry or none. */
export async function scrubEntry(
  { table, repair, options }: RowScrub,
  index: EntityIndex,
  stored: RawEntity,
): Promise<readonly IndexFinding[]> {
  const entry = keyOfRaw(stored)
  const row = index.rowOf(stored)
  if (row === undefined) return []
  const found = await findStored(table, row, options)
  // The entry of an unreadable row stays: the row itself is the finding.
  if (found && splitByRow([index], found.raw).unreadable.length > 0) return []
  if (found && index.entryOf(found.raw)?.key.rowKey === entry.rowKey) return []
  if (!repair) {
    const again = await findStored(table, entry, options)
    const isSame = again !== undefined && again.etag === etagOf(stored)
    return isSame ? [{ index: index.name, kind: 'dangling', row, entry, repaired: false }] : []
  }
  try {
    const input = { table: table.name, key: entry, body: '', etag: etagOf(stored) }
    await perform(table.service, deleteEntityIfExists, input, options)
    return [{ index: index.name, kind: 'dangling', row, entry, repaired: true }]
  } catch (error) {
    // A write stored the entry anew, and then it is right.
    if (error instanceof ETagMismatchError) return []
    throw error
  }
}
