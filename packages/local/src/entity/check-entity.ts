import type { EntityKey } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'
import { Rejection } from '../rejection/rejection.ts'
import type { PrintedProperty } from './entity-text.ts'

/** The most properties of an entity besides PartitionKey, RowKey and Timestamp. */
const MAX_PROPERTIES = 252

/** Bytes of a String in UTF-16 or a Binary, with four for its length: 64 KiB. */
const MAX_VALUE_SIZE = 65_540

/** Bytes of an entity as the service counts them: 1 MiB. */
const MAX_ENTITY_SIZE = 1_048_576

/** Bytes of an entity on Cosmos DB: 2 MiB. */
const MAX_COSMOS_ENTITY_SIZE = 2_097_152

/** The names that Cosmos DB uses itself. */
const RESERVED = ['id', 'ID', 'rid', 'ResourceId']

/** Bytes that the service counts for a value of fixed size. */
const FIXED_SIZE = { Boolean: 1, DateTime: 8, Double: 8, Guid: 16, Int32: 4, Int64: 8 } as const

/**
 * Rejects an entity with too many properties or too many bytes, in all or in one property.
 *
 * @throws Rejection TooManyProperties, EntityTooLarge, or PropertyValueTooLarge, and on Cosmos DB
 * PropertyNameInvalid for a name that it reserves
 */
export function checkEntity(
  key: EntityKey,
  properties: readonly PrintedProperty[],
  flavour?: Flavour,
): void {
  if (properties.length > MAX_PROPERTIES) throw new Rejection('TooManyProperties')
  const reserved =
    flavour === 'cosmos' ? properties.find(({ name }) => RESERVED.includes(name)) : undefined
  if (reserved !== undefined) {
    throw new Rejection('PropertyNameInvalid', {
      text: `The property name '${reserved.name}' is currently not supported.`,
    })
  }
  // By the formula that the service publishes.
  let size = 4 + 2 * (key.partitionKey.length + key.rowKey.length)
  let isTooLarge = false
  for (const property of properties) {
    const valueSize = sizeOf(property)
    size += 8 + 2 * property.name.length + valueSize
    isTooLarge ||= valueSize > MAX_VALUE_SIZE
  }
  if (size > (flavour === 'cosmos' ? MAX_COSMOS_ENTITY_SIZE : MAX_ENTITY_SIZE)) {
    throw new Rejection('EntityTooLarge')
  }
  if (isTooLarge) throw new Rejection('PropertyValueTooLarge')
}

function sizeOf({ type, json }: PrintedProperty): number {
  if (type === 'String') return 4 + 2 * lengthOfText(json)
  if (type === 'Binary') return 4 + lengthOfBytes(json)
  return FIXED_SIZE[type]
}

/** Counts the UTF-16 units of a JSON string. */
function lengthOfText(json: string): number {
  return json.includes('\\') ? JSON.parse(json).length : json.length - 2
}

/** Counts the bytes of base64 in quotes. */
function lengthOfBytes(json: string): number {
  const padding = json.endsWith('=="') ? 2 : json.endsWith('="') ? 1 : 0
  return ((json.length - 2) / 4) * 3 - padding
}
