import type { DateTimeValue, EdmType, EdmValue, EntityKey } from '@rowkey/odata'

/** A property of a stored entity: a value and its type. */
export type StoredProperty = {
  [Type in EdmType]: { readonly type: Type; readonly value: EdmValue<Type> }
}[EdmType]

/** The custom properties of an entity by name, in the order of responses. */
export type StoredProperties = ReadonlyMap<string, StoredProperty>

/** A version of an entity in the store. It never changes: a write replaces it. */
export interface StoredEntity extends EntityKey {
  /** When this version was written; unique among all versions. */
  readonly timestamp: DateTimeValue
  /** The ETag made from {@link StoredEntity.timestamp}. */
  readonly etag: string
  readonly properties: StoredProperties
  /**
   * The members of the entity's JSON at minimal metadata, in ASCII, from PartitionKey on:
   * `"PartitionKey":"a","RowKey":"b","Timestamp":"…","points@odata.type":"Edm.Int64","points":"5"`.
   */
  readonly text: string
  /** Returns a property by the name that filters use, including the system properties. */
  property(name: string): StoredProperty | undefined
}

/** Tells whether a name is PartitionKey, RowKey or Timestamp. */
export function isSystemProperty(name: string): boolean {
  return name === 'PartitionKey' || name === 'RowKey' || name === 'Timestamp'
}

/** Returns a system property by its name; `undefined` for any other name. */
export function systemProperty(
  row: Pick<StoredEntity, 'partitionKey' | 'rowKey' | 'timestamp'>,
  name: string,
): StoredProperty | undefined {
  switch (name) {
    case 'PartitionKey':
      return { type: 'String', value: row.partitionKey }
    case 'RowKey':
      return { type: 'String', value: row.rowKey }
    case 'Timestamp':
      return { type: 'DateTime', value: row.timestamp }
    default:
      return undefined
  }
}
