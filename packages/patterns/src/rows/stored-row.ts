import type { KeptTable } from '@rowkey/mapper'
import type { DynamicEntity, EntityKey, RawEntity } from '@rowkey/odata'
import { type CallOptions, findEntity, perform } from '@rowkey/rest'
import { atPrimary } from '../options/pattern-options.ts'

/** Reads a row at the primary location, with its ETag; `undefined` when it does not exist. */
export async function findStored(
  { service, name: table }: KeptTable,
  key: EntityKey,
  options: CallOptions,
): Promise<RawEntity | undefined> {
  const found = await perform(service, findEntity, { table, key }, atPrimary(options))
  if (found === undefined || 'odata.etag' in found.raw) return found?.raw
  return { ...found.raw, 'odata.etag': found.etag ?? '' }
}

/** Returns the ETag of a row that was read. */
export function etagOf(raw: RawEntity): string {
  const own = raw['odata.etag']
  return typeof own === 'string' ? own : ''
}

/** Returns a property of a row that other programs may have changed; `undefined` when it is not text. */
export function textIn(row: DynamicEntity, name: string): string | undefined {
  const value = row.get(name)?.value
  return typeof value === 'string' ? value : undefined
}

/** Tells whether two keys are the same, or both absent. */
export function isSameKey(one: EntityKey | undefined, other: EntityKey | undefined): boolean {
  return one?.partitionKey === other?.partitionKey && one?.rowKey === other?.rowKey
}

/** Prints a key so that other keys have other texts. Keys have no control characters. */
export function keyText({ partitionKey, rowKey }: EntityKey): string {
  return `${partitionKey}\n${rowKey}`
}
