import type { DateTimeValue, EdmType, EdmValue, EntityKey } from '@rowkey/odata'

/** One property of a stored entity: a value and the type that it is a value of. */
export type StoredProperty = {
  [Type in EdmType]: { readonly type: Type; readonly value: EdmValue<Type> }
}[EdmType]

/** The custom properties of an entity, by name, in the order in which answers show them. */
export type StoredProperties = ReadonlyMap<string, StoredProperty>

/** One version of one entity as the store holds it. Never changed: a write puts another in its place. */
export interface StoredEntity extends EntityKey {
  /** When this version was written; no other version carries the same. */
  readonly timestamp: DateTimeValue
  /** The ETag made from {@link StoredEntity.timestamp}. */
  readonly etag: string
  readonly properties: StoredProperties
  /**
   * The members of the entity's JSON as minimal metadata has them, in ASCII, from PartitionKey on:
   * `"PartitionKey":"a","RowKey":"b","Timestamp":"…","points@odata.type":"Edm.Int64","points":"5"`.
   */
  readonly text: string
  /** Any property by the name that filters use, the system properties included. */
  property(name: string): StoredProperty | undefined
}
