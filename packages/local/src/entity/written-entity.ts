import { DateTimeValue, type EntityKey, printDateTime } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'
import { Rejection } from '../rejection/rejection.ts'
import { printEntityText } from './entity-text.ts'
import {
  printETag,
  type StoredEntity,
  type StoredProperties,
  type StoredProperty,
  systemProperty,
} from './stored-entity.ts'

/** The most properties of an entity besides PartitionKey, RowKey and Timestamp. */
const MAX_PROPERTIES = 252

/** UTF-16 units of a String: 64 KiB. */
const MAX_STRING_LENGTH = 32_768

/** Bytes of a Binary: 64 KiB. */
const MAX_BINARY_LENGTH = 65_536

/** Bytes of an entity as the service counts them: 1 MiB. */
const MAX_ENTITY_SIZE = 1_048_576

/** Bytes of an entity on Cosmos DB: 2 MiB. */
const MAX_COSMOS_ENTITY_SIZE = 2_097_152

/** The names that Cosmos DB uses itself. */
const RESERVED = ['id', 'ID', 'rid', 'etag', 'ResourceId']

/** Bytes that the service counts for a value of fixed size. */
const FIXED_SIZE = { Boolean: 1, DateTime: 8, Double: 8, Guid: 16, Int32: 4, Int64: 8 } as const

/**
 * Rejects an entity with too many properties or too many bytes, in all or in one property.
 *
 * @throws Rejection TooManyProperties, EntityTooLarge, or PropertyValueTooLarge, and on Cosmos DB
 * PropertyNameInvalid for a name that it reserves
 */
export function checkEntity(key: EntityKey, properties: StoredProperties, flavour?: Flavour): void {
  if (properties.size > MAX_PROPERTIES) throw new Rejection('TooManyProperties')
  if (flavour === 'cosmos' && RESERVED.some((name) => properties.has(name))) {
    throw new Rejection('PropertyNameInvalid')
  }
  const most = flavour === 'cosmos' ? MAX_COSMOS_ENTITY_SIZE : MAX_ENTITY_SIZE
  if (sizeOf(key, properties) > most) throw new Rejection('EntityTooLarge')
  for (const property of properties.values()) {
    if (isTooLarge(property)) throw new Rejection('PropertyValueTooLarge')
  }
}

/** Returns the size of an entity in bytes, by the service's published formula. */
function sizeOf(key: EntityKey, properties: StoredProperties): number {
  let size = 4 + 2 * (key.partitionKey.length + key.rowKey.length)
  for (const [name, property] of properties) {
    size += 8 + 2 * name.length + valueSize(property)
  }
  return size
}

function valueSize({ type, value }: StoredProperty): number {
  if (type === 'String') return 4 + 2 * value.length
  if (type === 'Binary') return 4 + value.byteLength
  return FIXED_SIZE[type]
}

function isTooLarge({ type, value }: StoredProperty): boolean {
  if (type === 'String') return value.length > MAX_STRING_LENGTH
  return type === 'Binary' && value.byteLength > MAX_BINARY_LENGTH
}

/**
 * Units of the longest text to keep. Printing a longer one again costs little beside sending it.
 */
const MAX_KEPT_TEXT = 65_536

/** A version of an entity that a write made from values. */
export class WrittenEntity implements StoredEntity {
  readonly partitionKey: string
  readonly rowKey: string
  readonly properties: StoredProperties
  /** The parts of the timestamp, which need a tenth of its memory. */
  readonly #ms: number
  readonly #ticksPastMs: number
  /** Printed on first use. The row never changes, so the text stays valid. */
  #text: string | undefined
  /** Kept with the text. Until then, only its write needs it. */
  #etag: string | undefined

  constructor(key: EntityKey, timestamp: DateTimeValue, properties: StoredProperties) {
    this.partitionKey = key.partitionKey
    this.rowKey = key.rowKey
    this.#ms = timestamp.getTime()
    this.#ticksPastMs = timestamp.ticksPastMs
    this.properties = properties
  }

  get timestamp(): DateTimeValue {
    return new DateTimeValue(this.#ms, this.#ticksPastMs)
  }

  get etag(): string {
    return this.#etag ?? printETag(printDateTime(this.timestamp))
  }

  get text(): string {
    if (this.#text !== undefined) return this.#text
    const text = printEntityText(this, this.timestamp, this.properties)
    if (text.length <= MAX_KEPT_TEXT) {
      this.#text = text
      this.#etag = this.etag
    }
    return text
  }

  property(name: string): StoredProperty | undefined {
    return systemProperty(this, name) ?? this.properties.get(name)
  }
}
