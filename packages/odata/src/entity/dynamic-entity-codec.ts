import { parseDateTime } from '../edm/date-time-value.ts'
import { PropertyValueError } from '../errors/property-value-error.ts'
import { DynamicEntity } from './dynamic-entity.ts'
import type { EntityCodec, RawEntity } from './entity-codec.ts'
import { checkKeyText } from './entity-key.ts'
import { membersOf, writeEntityJson } from './entity-members.ts'
import {
  checkCustomPropertyName,
  checkPropertyText,
  type PropertyNameCheck,
} from './property-name.ts'
import { readProperties } from './read-properties.ts'

/**
 * The codec of rows without a declared class. It rejects a property name that the service does not accept.
 *
 * @example
 * ```ts
 * const person = dynamicEntityCodec.read({ PartitionKey: 'Smith', RowKey: 'Jeff', points: 5 })
 * person.set('points', 6)
 * dynamicEntityCodec.write(person) // '{"PartitionKey":"Smith","RowKey":"Jeff","points":6}'
 * ```
 */
export const dynamicEntityCodec: EntityCodec<DynamicEntity> = codecWith(checkCustomPropertyName)

/**
 * Works as {@link dynamicEntityCodec}, but accepts every property name that a request can carry and leaves
 * the rules for names to the service.
 */
export const uncheckedDynamicCodec: EntityCodec<DynamicEntity> = codecWith(checkPropertyText)

function codecWith(checkName: PropertyNameCheck): EntityCodec<DynamicEntity> {
  return {
    keyOf(entity) {
      checkKeyText(entity)
      return { partitionKey: entity.partitionKey, rowKey: entity.rowKey }
    },
    write: (entity) => writeEntityJson(entity, membersOf(entity.properties), checkName),
    read: readDynamicEntity,
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
