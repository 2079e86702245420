import { parseDateTime } from '../edm/date-time-value.ts'
import { PropertyValueError } from '../errors/property-value-error.ts'
import { DynamicEntity } from './dynamic-entity.ts'
import type { EntityCodec, RawEntity } from './entity-codec.ts'
import { checkEntityKey } from './entity-key.ts'
import { changedMembers, type EntityMembers, membersOf, writeEntityJson } from './entity-members.ts'
import { timestampOfEtag } from './etag-timestamp.ts'
import { systemPropertyNames } from './property-name.ts'
import { readProperty } from './read-property.ts'

/** What the service is known to have of an entity, and what a write that is under way will add. */
interface Knowledge {
  known: RawEntity | EntityMembers | undefined
  sent: EntityMembers | undefined
}

const knowledge = new WeakMap<DynamicEntity, Knowledge>()

/**
 * The codec of entities that nobody declared a class for.
 *
 * `writeChanges` compares with what was read or last written, byte for byte, so that a `Date` or
 * an array changed in place counts as changed. A property taken away cannot be merged away.
 *
 * @example
 * ```ts
 * const person = dynamicEntityCodec.read({ PartitionKey: 'Smith', RowKey: 'Jeff', points: 5 })
 * person.set('points', 6)
 * dynamicEntityCodec.writeChanges(person) // '{"PartitionKey":"Smith","RowKey":"Jeff","points":6}'
 * ```
 */
export const dynamicEntityCodec: EntityCodec<DynamicEntity> = {
  keyOf(entity) {
    checkEntityKey(entity)
    return { partitionKey: entity.partitionKey, rowKey: entity.rowKey }
  },
  etagOf: (entity) => entity.etag,
  write(entity) {
    const members = membersOf(entity)
    const text = writeEntityJson(entity, members)
    knowledgeOf(entity).sent = members
    return text
  },
  writeChanges(entity) {
    const { known } = knowledgeOf(entity)
    const changed = changedMembers(membersOf(entity), toMembers(known))
    if (changed.size === 0 && known !== undefined) return undefined
    const text = writeEntityJson(entity, changed)
    knowledgeOf(entity).sent = changed
    return text
  },
  read: readDynamicEntity,
  written(entity, etag) {
    const of = knowledgeOf(entity)
    of.known = new Map([...toMembers(of.known), ...(of.sent ?? [])])
    of.sent = undefined
    if (etag === undefined) return
    entity.etag = etag
    const timestamp = timestampOfEtag(etag)
    if (timestamp !== undefined) entity.timestamp = timestamp
  },
}

function readDynamicEntity(raw: RawEntity, etag?: string): DynamicEntity {
  const entity = new DynamicEntity(readKey(raw, 'PartitionKey'), readKey(raw, 'RowKey'))
  readProperties(raw, entity.properties)
  const tag = raw['odata.etag'] ?? etag
  if (typeof tag === 'string') entity.etag = tag
  const timestamp = raw.Timestamp
  if (typeof timestamp === 'string') entity.timestamp = parseDateTime(timestamp, 'Timestamp')
  knowledge.set(entity, { known: raw, sent: undefined })
  return entity
}

function readProperties(raw: RawEntity, properties: DynamicEntity['properties']): void {
  for (const name of Object.keys(raw)) {
    // Names hold neither: `odata.etag` and its kin, and `name@odata.type`.
    if (name.includes('odata.') || systemPropertyNames.has(name)) continue
    const property = readProperty(raw, name)
    if (property !== undefined) properties.set(name, property)
  }
}

function readKey(raw: RawEntity, name: 'PartitionKey' | 'RowKey'): string {
  const value = raw[name] ?? ''
  if (typeof value === 'string') return value
  const message = `${name} of an answer is a ${typeof value}, and every key is a string.`
  throw new PropertyValueError({ message, property: name, type: 'String' })
}

function knowledgeOf(entity: DynamicEntity): Knowledge {
  const found = knowledge.get(entity)
  if (found !== undefined) return found
  const made: Knowledge = { known: undefined, sent: undefined }
  knowledge.set(entity, made)
  return made
}

/** What was read is kept as it came, and only brought into our own form when a merge asks. */
function toMembers(known: Knowledge['known']): EntityMembers {
  if (known === undefined || known instanceof Map) return known ?? new Map()
  const stored = new DynamicEntity('', '')
  readProperties(known, stored.properties)
  return membersOf(stored)
}
