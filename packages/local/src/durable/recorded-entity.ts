import { type DateTimeValue, parseDateTime } from '@rowkey/odata'
import {
  findTextMember,
  parseProperties,
  propertyIn,
  readTextMember,
} from '../entity/entity-text.ts'
import { printETag } from '../entity/etag.ts'
import {
  type StoredEntity,
  type StoredProperties,
  type StoredProperty,
  systemProperty,
} from '../entity/stored-entity.ts'

const TIMESTAMP = '"Timestamp":"'

/** A version of an entity from its text. It decodes only what is read. */
export class RecordedEntity implements StoredEntity {
  readonly text: string
  #properties: StoredProperties | undefined

  /** @param text - from `printEntityText` */
  constructor(text: string) {
    this.text = text
  }

  get partitionKey(): string {
    return this.#keyAt(0)
  }

  get rowKey(): string {
    return this.#keyAt(readTextMember(this.text, 0).end + 1)
  }

  get timestamp(): DateTimeValue {
    return parseDateTime(this.#printedTimestamp())
  }

  get etag(): string {
    return printETag(this.#printedTimestamp())
  }

  get properties(): StoredProperties {
    this.#properties ??= parseProperties(this.text)
    return this.#properties
  }

  property(name: string): StoredProperty | undefined {
    return systemProperty(this, name) ?? this.#found(name)
  }

  #found(name: string): StoredProperty | undefined {
    const member = findTextMember(this.text, name)
    return member && propertyIn(member)
  }

  #keyAt(start: number): string {
    return String(propertyIn(readTextMember(this.text, start)).value)
  }

  /**
   * The search finds the property: text before it cannot contain the name with its quotes, because
   * keys escape quotes.
   */
  #printedTimestamp(): string {
    const start = this.text.indexOf(TIMESTAMP) + TIMESTAMP.length
    return this.text.slice(start, this.text.indexOf('"', start))
  }
}

/** Prints a row as the text of its record: entity JSON as in a response with minimal metadata. */
export function printRow(row: StoredEntity): string {
  return `{${row.text}}`
}

/** Parses the row of a record. */
export function parseRow(text: string): StoredEntity {
  return new RecordedEntity(text.slice(1, -1))
}
