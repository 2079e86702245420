import type { DateTimeValue, EdmType, EdmValue, EntityKey } from '@rowkey/odata'
import { printETag } from './etag.ts'

/** One property of a stored entity: a value and the type that it is a value of. */
export type StoredProperty = {
  [Type in EdmType]: { readonly type: Type; readonly value: EdmValue<Type> }
}[EdmType]

/** The custom properties of an entity, by name, in the order in which answers show them. */
export type StoredProperties = ReadonlyMap<string, StoredProperty>

/** One version of one entity as the store holds it. Never changed: a write puts another in its place. */
export class StoredEntity implements EntityKey {
  readonly partitionKey: string
  readonly rowKey: string
  /** When this version was written; no other version carries the same. */
  readonly timestamp: DateTimeValue
  /** The ETag made from {@link StoredEntity.timestamp}. */
  readonly etag: string
  readonly properties: StoredProperties

  constructor(key: EntityKey, timestamp: DateTimeValue, properties: StoredProperties) {
    this.partitionKey = key.partitionKey
    this.rowKey = key.rowKey
    this.timestamp = timestamp
    this.etag = printETag(timestamp)
    this.properties = properties
  }

  /** Any property by the name that filters and projections use, the system properties included. */
  property(name: string): StoredProperty | undefined {
    switch (name) {
      case 'PartitionKey':
        return { type: 'String', value: this.partitionKey }
      case 'RowKey':
        return { type: 'String', value: this.rowKey }
      case 'Timestamp':
        return { type: 'DateTime', value: this.timestamp }
      default:
        return this.properties.get(name)
    }
  }
}
