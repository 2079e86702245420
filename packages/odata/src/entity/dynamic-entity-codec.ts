import { parseDateTime } from '../edm/date-time-value.ts'
import { PropertyValueError } from '../errors/property-value-error.ts'
import { checkNoneRemoved } from './check-none-removed.ts'
import { DynamicEntity } from './dynamic-entity.ts'
import type { EntityCodec, RawEntity } from './entity-codec.ts'
import { checkKeyText } from './entity-key.ts'
import { changedMembers, membersOf, writeEntityJson } from './entity-members.ts'
import { timestampOfEtag } from './etag-timestamp.ts'
import {
  checkCustomPropertyName,
  checkPropertyText,
  type PropertyNameCheck,
} from './property-name.ts'
import { readProperties } from './read-properties.ts'
import { refreshDynamicEntity } from './refresh-dynamic-entity.ts'
import {
  forgetStored,
  isStoredPart,
  lacksStoredMember,
  rememberPart,
  rememberRead,
  rememberSent,
  storedKey,
  storedMembers,
} from './stored-members.ts'

/**
 * The codec of entities that nobody declared a class for.
 *
 * `writeChanges` compares with what was read or last written, byte for byte, so that a `Date` or
 * an array changed in place counts as changed. A property taken away cannot be merged away, so that is
 * refused. A name that the service does not take is refused by both writes.
 *
 * @example
 * ```ts
 * const person = dynamicEntityCodec.read({ PartitionKey: 'Smith', RowKey: 'Jeff', points: 5 })
 * person.set('points', 6)
 * dynamicEntityCodec.writeChanges(person) // '{"PartitionKey":"Smith","RowKey":"Jeff","points":6}'
 * ```
 */
export const dynamicEntityCodec: EntityCodec<DynamicEntity> = codecWith(checkCustomPropertyName)

/**
 * As {@link dynamicEntityCodec}, and takes every name of a property that a request can carry: the
 * rules for names are left to the service.
 */
export const uncheckedDynamicCodec: EntityCodec<DynamicEntity> = codecWith(checkPropertyText)

function codecWith(checkName: PropertyNameCheck): EntityCodec<DynamicEntity> {
  return {
    keyOf(entity) {
      checkKeyText(entity)
      return { partitionKey: entity.partitionKey, rowKey: entity.rowKey }
    },
    etagOf: (entity) => entity.etag,
    write(entity) {
      return writeEntityJson(entity, membersOf(entity.properties), checkName)
    },
    writeChanges(entity) {
      const stored = storedMembers(entity)
      if (stored !== undefined) checkNoneRemoved(entity, stored)
      const members = membersOf(entity.properties)
      const changed = stored === undefined ? members : changedMembers(members, stored)
      if (stored !== undefined && changed.size === 0) return undefined
      return writeEntityJson(entity, changed, checkName)
    },
    read(raw, etag) {
      const entity = readDynamicEntity(raw, etag)
      rememberRead(entity, raw)
      return entity
    },
    readPart(raw, etag) {
      const entity = readDynamicEntity(raw, etag)
      rememberPart(entity, raw)
      return entity
    },
    isPart: isStoredPart,
    storedKeyOf: storedKey,
    lacksStored: lacksStoredMember,
    refresh: refreshDynamicEntity,
    written(entity, etag, sent) {
      if (sent !== undefined) rememberSent(entity, sent)
      // Unlike an assignment, these skip what is frozen: the write has succeeded all the same.
      if (etag === undefined) Reflect.deleteProperty(entity, 'etag')
      else Reflect.set(entity, 'etag', etag)
      const timestamp = etag === undefined ? undefined : timestampOfEtag(etag)
      if (timestamp !== undefined) Reflect.set(entity, 'timestamp', timestamp)
    },
    forget: (entity) => forgetStored(entity),
  }
}

function readDynamicEntity(raw: RawEntity, etag?: string): DynamicEntity {
  const entity = new DynamicEntity(readKey(raw, 'PartitionKey'), readKey(raw, 'RowKey'))
  readProperties(raw, entity.properties)
  const tag = raw['odata.etag'] ?? etag
  if (typeof tag === 'string') entity.etag = tag
  const timestamp = raw.Timestamp
  if (typeof timestamp === 'string') entity.timestamp = parseDateTime(timestamp, 'Timestamp')
  return entity
}

function readKey(raw: RawEntity, name: 'PartitionKey' | 'RowKey'): string {
  const value = raw[name] ?? ''
  if (typeof value === 'string') return value
  const message = `${name} of an answer is a ${typeof value}, and every key is a string.`
  throw new PropertyValueError({ message, property: name, type: 'String' })
}
