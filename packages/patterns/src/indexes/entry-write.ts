import type { KeptCall, KeptTable } from '@rowkey/mapper'
import type { EntityKey, RawEntity } from '@rowkey/odata'
import {
  type CallOptions,
  type Change,
  deleteEntity,
  insertOrReplaceEntity,
  updateEntity,
} from '@rowkey/rest'
import type { EntityIndex, IndexEntry } from '../definitions/index-entry.ts'
import { UniqueValueError } from '../errors/unique-value-error.ts'
import { insertKept } from '../rows/insert-kept.ts'
import { findStored, type StoredRow } from '../rows/stored-row.ts'
import { splitByRow } from '../upkeep/unreadable-row.ts'
import type { EntryChange } from './entry-changes.ts'

/** The write of one entry, for the transaction of its row. */
export interface EntryWrite {
  readonly index: EntityIndex
  /** The entry that is written or removed. */
  readonly entry: IndexEntry
  readonly change: Change
}

/**
 * Returns how an entry is written; `undefined` when there is nothing to write.
 *
 * An entry of a unique index is a reservation: it is written only by the ETag of what it replaces. An entry of
 * another index has the RowKey of its row in its own key, so no other row can have it.
 *
 * @throws {@link UniqueValueError} when another row has the value
 */
export async function entryWrite(
  changed: EntryChange,
  call: KeptCall,
): Promise<EntryWrite | undefined> {
  const { index, before, after, rival } = changed
  if (after !== undefined && rival !== undefined) throw taken(index, call, rival.row)
  const entry = after ?? before
  if (entry === undefined) return undefined
  const change = index.isUnique
    ? await reservation(changed, entry, call)
    : await plainChange(changed, entry, call)
  return change && { index, entry, change }
}

/** The first attempt trusts that the entry of the row is there; after a 404 it is looked up. */
async function plainChange(
  { after }: EntryChange,
  entry: IndexEntry,
  { table, attempt, options }: KeptCall,
): Promise<Change | undefined> {
  const input = { table: table.name, key: entry.key, body: entry.body }
  if (after !== undefined) return { operation: insertOrReplaceEntity, input }
  const isThere = attempt === 1 || (await findStored(table, entry.key, options)) !== undefined
  return isThere ? { operation: deleteEntity, input: { ...input, body: '', etag: '*' } } : undefined
}

async function reservation(
  { index, before, after, isNewRow }: EntryChange,
  entry: IndexEntry,
  call: KeptCall,
): Promise<Change | undefined> {
  const { table, attempt, options } = call
  const input = { table: table.name, key: entry.key, body: entry.body }
  // Most values of new rows are free, and then no read is needed.
  if (after !== undefined && before === undefined && isNewRow && attempt === 1) {
    return { operation: insertKept, input }
  }
  const stored = await findStored(table, entry.key, options)
  if (after === undefined) {
    const isOwn = stored !== undefined && ownerOf(index, stored.raw) === entry.row.rowKey
    return isOwn
      ? { operation: deleteEntity, input: { ...input, body: '', etag: stored.etag } }
      : undefined
  }
  if (stored === undefined) return { operation: insertKept, input }
  const allowed = [after.row.rowKey, before?.row.rowKey]
  if (!allowed.includes(ownerOf(index, stored.raw))) await checkFree(index, after, stored, call)
  return { operation: updateEntity, input: { ...input, etag: stored.etag } }
}

/**
 * Returns who has the value of a unique entry: the RowKey of a stored entity whose own entry this is. A stale
 * entry, which an older program left behind, has no owner.
 */
export async function currentOwner(
  index: EntityIndex,
  table: KeptTable,
  { entry, stored }: { readonly entry: IndexEntry; readonly stored: StoredRow },
  options: CallOptions,
): Promise<string | undefined> {
  const owner = ownerOf(index, stored.raw)
  if (owner === undefined) return undefined
  const key = { partitionKey: entry.key.partitionKey, rowKey: owner }
  const row = await findStored(table, key, options)
  if (row === undefined) return undefined
  // A row that this program cannot read, such as one of a later version, keeps its entry.
  if (splitByRow([index], row.raw).unreadable.length > 0) return owner
  return index.entryOf(row.raw)?.key.rowKey === entry.key.rowKey ? owner : undefined
}

/**
 * Rejects an entry whose value another row has. A stale reservation, of a row without the value, is free.
 *
 * @throws {@link UniqueValueError}
 */
export async function checkFree(
  index: EntityIndex,
  entry: IndexEntry,
  stored: StoredRow,
  call: KeptCall,
): Promise<void> {
  const owner = await currentOwner(index, call.table, { entry, stored }, call.options)
  if (owner !== undefined && owner !== entry.row.rowKey)
    throw taken(index, call, { ...entry.row, rowKey: owner })
}

function ownerOf(index: EntityIndex, stored: RawEntity): string | undefined {
  return index.rowOf(stored)?.rowKey
}

function taken(
  index: EntityIndex,
  { table }: KeptCall,
  { partitionKey, rowKey }: EntityKey,
): UniqueValueError {
  return new UniqueValueError({
    table: table.name,
    index: index.name,
    properties: index.definition.rowKey.properties,
    owner: { partitionKey, rowKey },
  })
}
