import { type DateTimeValue, type EntityKey, parseDateTime } from '@rowkey/odata'
import { Rejection } from '../rejection/rejection.ts'
import {
  findTextMember,
  membersIn,
  type PrintedProperty,
  propertyIn,
  type StoredProperty,
} from './entity-text.ts'

/** A weak entity tag. A quote in it follows a backslash. */
const ETAG = /^W\/"(?:[^"]|(?<=\\)")*"$/i

/**
 * Prints the ETag of a version: its time of writing as a weak entity tag.
 *
 * @param timestamp - as the service prints it
 */
export function printETag(timestamp: string): string {
  return `W/"${versionAt(timestamp)}"`
}

/** Prints a time as the part of an ETag in quotes. */
function versionAt(timestamp: string): string {
  const hour = timestamp.slice(0, 13)
  const minute = timestamp.slice(14, 16)
  const rest = timestamp.slice(17)
  return `datetime'${hour}%3A${minute}%3A${rest}'`
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

/** Begins with a letter: quotes are everywhere, and a search for a letter is faster. */
const TIMESTAMP = 'Timestamp":"'
/** PartitionKey, RowKey and Timestamp come first. */
const SYSTEM_PROPERTIES = 3
/** What is around the version in the member with the ETag. Versions have nothing to escape, and no comma. */
const ETAG_START = '"odata.etag":"W/\\"'
const ETAG_END = '\\"",'

/**
 * A version of an entity in the store: its text. It decodes only what is read. It never changes: a write replaces it.
 */
export class StoredEntity implements EntityKey {
  /** The members in a response with minimal metadata: `odata.etag`, and then {@link StoredEntity.text}. */
  readonly element: string

  /** @param text - see {@link StoredEntity.text} */
  constructor(text: string) {
    this.element = ETAG_START + versionAt(timestampIn(text)) + ETAG_END + text
  }

  /**
   * The members of the entity's JSON without control information but annotations, in ASCII, as
   * {@link printEntityText} prints them:
   * `"PartitionKey":"a","RowKey":"b","Timestamp":"…","points@odata.type":"Edm.Int64","points":"5"`.
   */
  get text(): string {
    return this.element.slice(this.#textStart)
  }

  /** The ETag made from {@link StoredEntity.timestamp}. */
  get etag(): string {
    return `W/"${this.element.slice(ETAG_START.length, this.#textStart - ETAG_END.length)}"`
  }

  /** When this version was written; unique among all versions. */
  get timestamp(): DateTimeValue {
    return parseDateTime(this.printedTimestamp)
  }

  /** {@link StoredEntity.timestamp} as the service prints it. */
  get printedTimestamp(): string {
    return timestampIn(this.element)
  }

  get partitionKey(): string {
    return String(this.property('PartitionKey')?.value)
  }

  get rowKey(): string {
    return String(this.property('RowKey')?.value)
  }

  /** The custom properties, in the order of responses. */
  get properties(): PrintedProperty[] {
    return membersIn(this.text).slice(SYSTEM_PROPERTIES)
  }

  /** Returns a property by the name that filters use, including the system properties. */
  property(name: string): StoredProperty | undefined {
    if (name === 'Timestamp') return { type: 'DateTime', value: this.timestamp }
    const member = findTextMember(this.element, name)
    return member && propertyIn(member)
  }

  get #textStart(): number {
    return this.element.indexOf(',') + 1
  }
}

/** The text before it cannot contain the name with its quote, because keys escape quotes. */
function timestampIn(text: string): string {
  const start = text.indexOf(TIMESTAMP) + TIMESTAMP.length
  return text.slice(start, text.indexOf('"', start))
}
