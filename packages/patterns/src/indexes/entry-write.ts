import type { KeptCall } from '@rowkey/mapper'
import type { EntityKey, RawEntity } from '@rowkey/odata'
import type { Change } from '@rowkey/rest'
import { UniqueValueError } from '../errors/unique-value-error.ts'
import { insertKept, keeping, removing, upsertKept } from '../rows/changes.ts'
import { etagOf, findStored } from '../rows/stored-row.ts'
import { Unreadable } from '../rows/unreadable.ts'
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
  if (after !== undefined) return { operation: upsertKept, input }
  const isThere = attempt === 1 || (await findStored(table, entry.key, options)) !== undefined
  return isThere ? removing(table.name, entry.key, '*') : undefined
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
    const isOwn = stored !== undefined && ownerOf(index, stored) === entry.row.rowKey
    return isOwn ? removing(table.name, entry.key, etagOf(stored)) : undefined
  }
  const allowed = [after.row.rowKey, before?.row.rowKey]
  if (stored !== undefined && !allowed.includes(ownerOf(index, stored))) {
    await checkFree(index, after, stored, call)
  }
  return keeping(input, stored && etagOf(stored))
}

/**
 * Rejects an entry whose value another row has. A stale reservation, which an older program left behind for a row without the
 * value, is free.
 *
 * @throws {@link UniqueValueError}
 */
export async function checkFree(
  index: EntityIndex,
  entry: IndexEntry,
  stored: RawEntity,
  call: KeptCall,
): Promise<void> {
  const rowKey = ownerOf(index, stored)
  if (rowKey === undefined || rowKey === entry.row.rowKey) return
  const owner = { ...entry.row, rowKey }
  const row = await findStored(call.table, owner, call.options)
  const own = row && index.readEntry(row)
  // A row that this program cannot read, such as one of a later version, keeps its entry.
  const isKept = own instanceof Unreadable || own?.key.rowKey === entry.key.rowKey
  if (isKept) throw taken(index, call, owner)
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
