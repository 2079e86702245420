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

/** Whether a name is that of a property which every entity has. */
export function isSystemProperty(name: string): boolean {
  return name === 'PartitionKey' || name === 'RowKey' || name === 'Timestamp'
}

/** A property that every entity has, by its name; `undefined` for any other name. */
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
