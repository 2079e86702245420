import type { DateTimeValue, EdmType, EdmValue, EntityKey } from '@rowkey/odata'
import { Rejection } from '../rejection/rejection.ts'

/** A weak entity tag. A quote in it follows a backslash. */
const ETAG = /^W\/"(?:[^"]|(?<=\\)")*"$/i

/**
 * Prints the ETag of a version: its time of writing as a weak entity tag.
 *
 * @param timestamp - as the service prints it
 */
export function printETag(timestamp: string): string {
  const hour = timestamp.slice(0, 13)
  const minute = timestamp.slice(14, 16)
  const rest = timestamp.slice(17)
  return `W/"datetime'${hour}%3A${minute}%3A${rest}'"`
}

/**
 * Rejects an If-Match that is neither `*` nor one weak entity tag, as every ETag of the service is.
 *
 * @throws Rejection InvalidInput
 */
export function checkETag(ifMatch: string): void {
  if (ifMatch === '*' || ETAG.test(ifMatch)) return
  throw new Rejection('InvalidInput', {
    text: `The etag value '${ifMatch}' specified in one of the request headers is not valid. Please make sure only one etag value is specified and is valid.`,
  })
}

/**
 * Returns the row that an If-Match requires: it must exist and have the ETag.
 *
 * @throws Rejection ResourceNotFound, or UpdateConditionNotSatisfied
 */
export function matchETag(current: StoredEntity | undefined, ifMatch: string): StoredEntity {
  if (current === undefined) throw new Rejection('ResourceNotFound')
  if (ifMatch !== '*' && ifMatch !== current.etag) {
    throw new Rejection('UpdateConditionNotSatisfied')
  }
  return current
}

/** A property of a stored entity: a value and its type. */
export type StoredProperty = {
  [Type in EdmType]: { readonly type: Type; readonly value: EdmValue<Type> }
}[EdmType]

/** The custom properties of an entity by name, in the order of responses. */
export interface StoredProperties extends Iterable<[string, StoredProperty]> {
  readonly size: number
  get(name: string): StoredProperty | undefined
  has(name: string): boolean
  keys(): Iterable<string>
  values(): Iterable<StoredProperty>
}

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
