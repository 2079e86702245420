import type { KeptCall, KeptTable } from '@rowkey/mapper'
import {
  type CallOptions,
  type Change,
  deleteEntity,
  insertOrReplaceEntity,
  updateEntity,
} from '@rowkey/rest'
import { UniqueValueError } from '../errors/unique-value-error.ts'
import { insertKept } from '../rows/insert-kept.ts'
import { findStored, type StoredRow } from '../rows/stored-row.ts'
import type { EntryChange } from './entry-changes.ts'
import type { EntityIndex, IndexEntry } from './index-entry.ts'

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
  if (after !== undefined && rival !== undefined) throw taken(index, call, rival)
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
    const isOwn = stored !== undefined && index.ownerOf(stored.raw) === entry.owner
    return isOwn
      ? { operation: deleteEntity, input: { ...input, body: '', etag: stored.etag } }
      : undefined
  }
  if (stored === undefined) return { operation: insertKept, input }
  const allowed = [after.owner, before?.owner]
  if (!allowed.includes(index.ownerOf(stored.raw))) await checkFree(index, after, stored, call)
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
  const owner = index.ownerOf(stored.raw)
  if (owner === undefined) return undefined
  const key = { partitionKey: entry.key.partitionKey, rowKey: owner }
  const row = await findStored(table, key, options)
  const own = row && index.entryOf(row.raw)
  return own?.key.rowKey === entry.key.rowKey ? owner : undefined
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
  if (owner !== undefined && owner !== entry.owner) throw taken(index, call, { ...entry, owner })
}

function taken(
  index: EntityIndex,
  { table }: KeptCall,
  { key, owner }: IndexEntry,
): UniqueValueError {
  return new UniqueValueError({
    table: table.name,
    index: index.name,
    properties: index.definition.rowKey.properties,
    owner: { partitionKey: key.partitionKey, rowKey: owner },
  })
}
