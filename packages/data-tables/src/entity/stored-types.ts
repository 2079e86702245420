import type { EntityProperty } from '@rowkey/odata'

/** The stored properties of an entity that was read, by their names. */
export type StoredProperties = ReadonlyMap<string, EntityProperty>

/**
 * The stored properties of the objects that reads returned. A plain number cannot tell a Double from an
 * Int32, and a Date has no ticks. So an update writes unchanged values as they were stored.
 */
const stored = new WeakMap<object, StoredProperties>()

/** The members that a result has besides its properties. */
export const SYSTEM_NAMES: ReadonlySet<string> = new Set([
  'partitionKey',
  'rowKey',
  'etag',
  'timestamp',
])

/** Remembers what a read returned. */
export function rememberStored(entity: object, properties: StoredProperties): void {
  stored.set(entity, properties)
}

/** Returns what the read of an object returned. */
export function storedOf(entity: object): StoredProperties | undefined {
  return stored.get(entity)
}
