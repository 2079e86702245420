import type { KeptTable } from '@rowkey/mapper'
import type { EntityKey, RawEntity } from '@rowkey/odata'
import { type CallOptions, findEntity, perform } from '@rowkey/rest'
import type { EntityIndex, IndexEntry } from './index-entry.ts'

/** A stored row with the ETag of the version that was read. */
export interface StoredRow {
  readonly raw: RawEntity
  readonly etag: string
}

/** Reads a row at the primary location; `undefined` when it does not exist. */
export async function findStored(
  { service, name: table }: KeptTable,
  key: EntityKey,
  options: CallOptions,
): Promise<StoredRow | undefined> {
  const atPrimary = { ...options, locationMode: 'primaryOnly' } as const
  const found = await perform(service, findEntity, { table, key }, atPrimary)
  return found && { raw: found.raw, etag: etagOf(found.raw, found.etag) }
}

/** Returns the ETag of a row: in the row itself, or in the header of the response. */
export function etagOf(raw: RawEntity, header?: string): string {
  const own = raw['odata.etag']
  return typeof own === 'string' ? own : (header ?? '')
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
