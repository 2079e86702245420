import { type DateTimeValue, type EntityKey, printDateTime } from '@rowkey/odata'
import { printEntityText } from './entity-text.ts'
import { printETag } from './etag.ts'
import {
  type StoredEntity,
  type StoredProperties,
  type StoredProperty,
  systemProperty,
} from './stored-entity.ts'

/**
 * Units of the longest text to keep. Printing a longer one again costs little beside sending it.
 */
const MAX_KEPT_TEXT = 65_536

/** A version of an entity that a write made from values. */
export class WrittenEntity implements StoredEntity {
  readonly partitionKey: string
  readonly rowKey: string
  readonly timestamp: DateTimeValue
  readonly etag: string
  readonly properties: StoredProperties
  /** Printed on first use. The row never changes, so the text stays valid. */
  #text: string | undefined

  constructor(key: EntityKey, timestamp: DateTimeValue, properties: StoredProperties) {
    this.partitionKey = key.partitionKey
    this.rowKey = key.rowKey
    this.timestamp = timestamp
    this.etag = printETag(printDateTime(timestamp))
    this.properties = properties
  }

  get text(): string {
    if (this.#text !== undefined) return this.#text
    const text = printEntityText(this, this.timestamp, this.properties)
    if (text.length <= MAX_KEPT_TEXT) this.#text = text
    return text
  }

  property(name: string): StoredProperty | undefined {
    return systemProperty(this, name) ?? this.properties.get(name)
  }
}
