import type { DynamicEntity } from './dynamic-entity.ts'
import type { RawEntity, SentBody } from './entity-codec.ts'
import { type EntityMembers, membersOf } from './entity-members.ts'
import { parseEntityJson } from './parse-entity-json.ts'
import { readProperties } from './read-properties.ts'

/** What the service has of an entity, and under which key. */
interface StoredMembers {
  readonly partitionKey: unknown
  readonly rowKey: unknown
  members: RawEntity | EntityMembers
}

const storedByEntity = new WeakMap<DynamicEntity, StoredMembers>()

/** Notes what was read. It is kept as it came: most entities are read and never written. */
export function rememberRead(entity: DynamicEntity, raw: RawEntity): void {
  const { partitionKey, rowKey } = entity
  storedByEntity.set(entity, { partitionKey, rowKey, members: raw })
}

/**
 * Notes that a write has succeeded, by the body that was sent: the entity may have another key by now,
 * and other writes of it may be under way.
 */
export function rememberSent(entity: DynamicEntity, { body, whole }: SentBody): void {
  const raw = parseEntityJson(body) as RawEntity // a codec wrote it: one JSON object
  const { PartitionKey: partitionKey, RowKey: rowKey } = raw
  const before = whole ? undefined : membersUnder(entity, partitionKey, rowKey)
  const members = before ? new Map([...before, ...membersOf(readProperties(raw))]) : raw
  storedByEntity.set(entity, { partitionKey, rowKey, members })
}

/** Notes that nobody knows any longer what the service has of an entity. */
export function forgetStored(entity: DynamicEntity): void {
  storedByEntity.delete(entity)
}

/**
 * What the service has of an entity, as far as this program knows.
 *
 * @returns `undefined` when the entity was neither read nor written under its present key
 */
export function storedMembers(entity: DynamicEntity): EntityMembers | undefined {
  return membersUnder(entity, entity.partitionKey, entity.rowKey)
}

function membersUnder(
  entity: DynamicEntity,
  partitionKey: unknown,
  rowKey: unknown,
): EntityMembers | undefined {
  const stored = storedByEntity.get(entity)
  if (stored === undefined) return undefined
  if (stored.partitionKey !== partitionKey || stored.rowKey !== rowKey) return undefined
  if (!(stored.members instanceof Map)) stored.members = membersOf(readProperties(stored.members))
  return stored.members
}
