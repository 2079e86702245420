import type { DynamicEntity } from './dynamic-entity.ts'
import type { RawEntity } from './entity-codec.ts'
import { type EntityMembers, membersOf } from './entity-members.ts'
import { readProperties } from './read-properties.ts'

/** What the service has of an entity, and what it will have once the write under way succeeds. */
interface StoredMembers {
  partitionKey: string
  rowKey: string
  now: RawEntity | EntityMembers | undefined
  next: EntityMembers | undefined
}

const storedByEntity = new WeakMap<DynamicEntity, StoredMembers>()

/** Notes what was read. It is kept as it came: most entities are read and never written. */
export function rememberRead(entity: DynamicEntity, raw: RawEntity): void {
  const { partitionKey, rowKey } = entity
  storedByEntity.set(entity, { partitionKey, rowKey, now: raw, next: undefined })
}

/**
 * What the service has of an entity, as far as this program knows.
 *
 * @returns `undefined` when the entity was neither read nor written under its present key
 */
export function storedMembers(entity: DynamicEntity): EntityMembers | undefined {
  const stored = storedByEntity.get(entity)
  if (stored?.now === undefined || !isUnderKeyOf(entity, stored)) return undefined
  if (!(stored.now instanceof Map)) stored.now = membersOf(readProperties(stored.now))
  return stored.now
}

/** Notes what the service will have once the write that is being made has succeeded. */
export function expectStored(entity: DynamicEntity, next: EntityMembers): void {
  const { partitionKey, rowKey } = entity
  const now = storedMembers(entity)
  storedByEntity.set(entity, { partitionKey, rowKey, now, next })
}

/** Notes that the write which was last made has succeeded, under the key it was made with. */
export function confirmStored(entity: DynamicEntity): void {
  const stored = storedByEntity.get(entity)
  if (stored?.next === undefined) return
  stored.now = stored.next
  stored.next = undefined
}

function isUnderKeyOf(entity: DynamicEntity, stored: StoredMembers): boolean {
  return stored.partitionKey === entity.partitionKey && stored.rowKey === entity.rowKey
}
