import type { KeptTable } from '@rowkey/mapper'
import type { EntityKey, RawEntity } from '@rowkey/odata'
import { type CallOptions, findEntity, perform } from '@rowkey/rest'

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

/** Tells whether two keys are the same, or both absent. */
export function isSameKey(one: EntityKey | undefined, other: EntityKey | undefined): boolean {
  return one?.partitionKey === other?.partitionKey && one?.rowKey === other?.rowKey
}

/** Prints a key so that other keys have other texts. Keys have no control characters. */
export function keyText({ partitionKey, rowKey }: EntityKey): string {
  return `${partitionKey}\n${rowKey}`
}
