import { cellText } from '@rowkey/cli'
import type { EdmType } from '@rowkey/odata'
import { entitySize, propertySizes } from '@rowkey/rest'
import { type DynamicEntity, type EntityProperty, printDateTime } from 'rowkey'
import type { ShownRow, ShownValue } from './wire.ts'

/** How many characters of a value a list of rows shows, and a single row. */
export const SHOWN_IN_LIST = 120
export const SHOWN_IN_ROW = 2_000

/** What the page shows of a row. */
export interface ShownParts {
  /** The most characters of a value; the page fetches the rest on demand. */
  readonly limit: number
  /** Whether the row has all of its properties, so that its size is known. */
  readonly isWhole: boolean
  /** The type that a model gives the row. */
  readonly kind: string | undefined
}

/**
 * Makes what the page shows of a row.
 *
 * @param row - the row
 * @param parts - how much of it
 */
export function shownRow(row: DynamicEntity, { limit, isWhole, kind }: ShownParts): ShownRow {
  const { partitionKey, rowKey, timestamp, etag, properties } = row
  return {
    partition: partitionKey,
    row: rowKey,
    timestamp: timestamp && printDateTime(timestamp),
    etag,
    kind,
    size: isWhole ? sizeOf(row) : undefined,
    values: Array.from(properties, ([name, property]) => [name, shownValue(property, limit)]),
  }
}

/** The size of a row in bytes as the service counts. */
function sizeOf(row: DynamicEntity): number {
  return entitySize(row.partitionKey.length + row.rowKey.length, propertySizes(row.toJSON()))
}

/**
 * Makes what the page shows of a value.
 *
 * @param property - the value
 * @param limit - the most characters
 */
export function shownValue(property: EntityProperty, limit: number): ShownValue {
  const text = cellText(property)
  const type: EdmType = property.type
  if (text.length <= limit) return { type, text }
  return { type, text: text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, ''), length: text.length }
}
