import { dateTimeCodec } from '../edm/date-time-value.ts'
import { DynamicEntity } from './dynamic-entity.ts'
import { checkKeyText, type EntityKey } from './entity-key.ts'
import {
  checkCustomPropertyName,
  checkPropertyText,
  type PropertyNameCheck,
} from './property-name.ts'
import { keyOfRaw, type RawEntity } from './raw-entity.ts'
import { readProperties } from './read-property.ts'
import { writeEntityJson } from './write-entity.ts'

/**
 * The seam between the wire and the caller's objects: writes an entity straight to JSON text and
 * reads one straight from the parsed response, with no property bag in between.
 *
 * A codec is made once per class or model and remembers nothing of the entities that pass through it.
 * {@link dynamicEntityCodec} is the one for rows without a declared class.
 */
export interface EntityCodec<Entity> {
  /**
   * Returns PartitionKey and RowKey of an entity: strings that a request can carry.
   *
   * @throws `InputError` when a half of the key is missing or cannot be sent
   */
  keyOf(entity: Entity): EntityKey
  /** Writes the whole entity as JSON text, as an insert, a replace or an upsert sends it. */
  write(entity: Entity): string
  /**
   * Reads an entity from one JSON object of a response.
   *
   * @param raw - the parsed object
   * @param etag - the ETag header of a single-entity response; `odata.etag` in the object wins
   */
  read(raw: RawEntity, etag?: string): Entity
}

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
    write: (entity) => writeEntityJson(entity, checkName),
    read: readDynamicEntity,
  }
}

function readDynamicEntity(raw: RawEntity, etag?: string): DynamicEntity {
  const { partitionKey, rowKey } = keyOfRaw(raw)
  const entity = new DynamicEntity(partitionKey, rowKey)
  readProperties(raw, entity.properties)
  const tag = raw['odata.etag'] ?? etag
  if (typeof tag === 'string') entity.etag = tag
  const timestamp = raw.Timestamp
  if (typeof timestamp === 'string') {
    entity.timestamp = dateTimeCodec.readJson(timestamp, 'Timestamp')
  }
  return entity
}
