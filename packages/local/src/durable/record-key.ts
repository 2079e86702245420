import { type KeyRange, printStoreKey } from '../keys/key-range.ts'

/** What a record is about: the first character of its key. The engine sorts keys by their UTF-8. */
const KIND = {
  totals: 0x01,
  clock: 0x02,
  nextTable: 0x03,
  keptNames: 0x04,
  table: 0x10,
  policies: 0x11,
  properties: 0x12,
  dropped: 0x13,
  row: 0x20,
} as const

/** A stretch of records: `low` included, `high` not. */
export interface RecordRange {
  readonly low: string
  readonly high: string
}

/** How many records there are and what they add up to. */
export const TOTALS_KEY: string = String.fromCharCode(KIND.totals)
/** The latest Timestamp ever given. */
export const CLOCK_KEY: string = String.fromCharCode(KIND.clock)
/** The number of the next table. */
export const NEXT_TABLE_KEY: string = String.fromCharCode(KIND.nextTable)
/** The names of deleted tables that are not free yet. */
export const KEPT_NAMES_KEY: string = String.fromCharCode(KIND.keptNames)

/** The records that describe tables, one kind after the other. */
export const TABLES: RecordRange = rangeOfKind(KIND.table)
export const POLICIES: RecordRange = rangeOfKind(KIND.policies)
export const PROPERTIES: RecordRange = rangeOfKind(KIND.properties)
export const DROPPED: RecordRange = rangeOfKind(KIND.dropped)

/** The record of a table, found by its name in lower case. */
export function tableKey(account: string, folded: string): string {
  return String.fromCharCode(KIND.table) + orderedText(printStoreKey(account, folded))
}

/** The record of a table's access policies. */
export function policiesKey(table: number): string {
  return numbered(KIND.policies, table)
}

/** The record of an account's service properties. */
export function propertiesKey(account: string): string {
  return String.fromCharCode(KIND.properties) + orderedText(account)
}

/** The record that says of a table that its rows are still to be removed. */
export function droppedKey(table: number): string {
  return numbered(KIND.dropped, table)
}

/** The record of a row. Sorts among the rows of its table as its store key does. */
export function rowKey(table: number, storeKey: string): string {
  return numbered(KIND.row, table) + orderedText(storeKey)
}

/** The records of a table's rows within a range. */
export function rowRange(table: number, { low, high }: KeyRange): RecordRange {
  return {
    low: rowKey(table, low),
    high: high === undefined ? numbered(KIND.row, table + 1) : rowKey(table, high),
  }
}

function rangeOfKind(kind: number): RecordRange {
  return { low: String.fromCharCode(kind), high: String.fromCharCode(kind + 1) }
}

function numbered(kind: number, table: number): string {
  return String.fromCharCode(kind) + table.toString(16).padStart(8, '0')
}

/** The units that UTF-8 does not take one by one, or sorts before others that they follow. */
const LATE_UNIT = /[\ud800-\uffff]/
const EACH_LATE_UNIT = /[\ud800-\uffff]/g

/**
 * Text whose UTF-8 sorts as `text` does by UTF-16 code units, which is the service's order. That of
 * `text` itself does not: there what lies beyond U+FFFF follows on U+E000 to U+FFFF. So each unit
 * from U+D800 on is a character beyond U+FFFF, and all others are themselves.
 */
function orderedText(text: string): string {
  return LATE_UNIT.test(text) ? text.replace(EACH_LATE_UNIT, lateCharacter) : text
}

function lateCharacter(unit: string): string {
  return String.fromCodePoint(0x10000 + unit.charCodeAt(0) - 0xd800)
}
