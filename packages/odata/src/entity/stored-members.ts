import type { DynamicEntity } from './dynamic-entity.ts'
import type { RawEntity, SentBody } from './entity-codec.ts'
import type { EntityKey } from './entity-key.ts'
import { type EntityMembers, membersOf } from './entity-members.ts'
import { parseEntityObject } from './parse-entity-object.ts'
import { readProperties } from './read-properties.ts'

/** What the service has of an entity, and under which key. */
interface StoredMembers extends EntityKey {
  /** `undefined` when nobody knows. */
  readonly members: RawEntity | EntityMembers | undefined
  /** Only some of its properties were read. */
  readonly isPart: boolean
}

const storedByEntity = new WeakMap<DynamicEntity, StoredMembers>()

/** Notes what was read. It is kept as it came: most entities are read and never written. */
export function rememberRead(entity: DynamicEntity, raw: RawEntity): void {
  const { partitionKey, rowKey } = entity
  storedByEntity.set(entity, { partitionKey, rowKey, members: raw, isPart: false })
}

/** Notes that only some properties were read. */
export function rememberPart(entity: DynamicEntity, raw: RawEntity): void {
  const { partitionKey, rowKey } = entity
  storedByEntity.set(entity, { partitionKey, rowKey, members: raw, isPart: true })
}

/**
 * Notes that a write has succeeded, by the body that was sent: the entity may have another key by now,
 * and other writes of it may be under way.
 */
export function rememberSent(entity: DynamicEntity, { body, whole }: SentBody): void {
  const raw = parseEntityObject(body)
  const key = { partitionKey: keyIn(raw, 'PartitionKey'), rowKey: keyIn(raw, 'RowKey') }
  const before = whole ? undefined : membersUnder(entity, key)
  const members = before ? new Map([...before, ...membersOf(readProperties(raw))]) : raw
  storedByEntity.set(entity, { ...key, members, isPart: !whole && isStoredPart(entity) })
}

/** Notes that nobody knows any longer what the service has of an entity. */
export function forgetStored(entity: DynamicEntity): void {
  const stored = storedByEntity.get(entity)
  if (stored !== undefined) storedByEntity.set(entity, { ...stored, members: undefined })
}

/** Whether only some properties of an entity were read. */
export function isStoredPart(entity: DynamicEntity): boolean {
  return storedByEntity.get(entity)?.isPart === true
}

/** Notes that the service has of an entity what it has of another one. */
export function rememberAs(entity: DynamicEntity, other: DynamicEntity): void {
  const stored = storedByEntity.get(other)
  if (stored !== undefined) storedByEntity.set(entity, stored)
}

/** Whether an entity that was read whole has no property where one is stored. */
export function lacksStoredMember(entity: DynamicEntity): boolean {
  const stored = isStoredPart(entity) ? undefined : storedMembers(entity)
  return stored !== undefined && [...stored.keys()].some((name) => !entity.properties.has(name))
}

/** The key that the service has an entity under; `undefined` when it was neither read nor written. */
export function storedKey(entity: DynamicEntity): EntityKey | undefined {
  return storedByEntity.get(entity)
}

/**
 * What the service has of an entity, as far as this program knows.
 *
 * @returns `undefined` when the entity was neither read nor written under its present key
 */
export function storedMembers(entity: DynamicEntity): EntityMembers | undefined {
  return membersUnder(entity, entity)
}

function membersUnder(entity: DynamicEntity, key: EntityKey): EntityMembers | undefined {
  const stored = storedByEntity.get(entity)
  if (stored?.members === undefined) return undefined
  if (stored.partitionKey !== key.partitionKey || stored.rowKey !== key.rowKey) return undefined
  if (stored.members instanceof Map) return stored.members
  const members = membersOf(readProperties(stored.members))
  storedByEntity.set(entity, { ...stored, members })
  return members
}

/** The codec wrote both, and a key is a string. */
function keyIn(raw: RawEntity, name: 'PartitionKey' | 'RowKey'): string {
  return String(raw[name])
}
