import { type KeyRange, printStoreKey } from '../keys/key-range.ts'

/** The kind of a record is the first character of its key. The engine sorts keys by their UTF-8. */
const KIND = {
  totals: 0x01,
  clock: 0x02,
  nextTable: 0x03,
  keptNames: 0x04,
  flavour: 0x05,
  table: 0x10,
  policies: 0x11,
  properties: 0x12,
  dropped: 0x13,
  row: 0x20,
} as const

/** A range of records: `low` inclusive, `high` exclusive. */
export interface RecordRange {
  readonly low: string
  readonly high: string
}

/** The number and the sum of all records. */
export const TOTALS_KEY: string = String.fromCharCode(KIND.totals)
/** The latest Timestamp. */
export const CLOCK_KEY: string = String.fromCharCode(KIND.clock)
/** The number of the next table. */
export const NEXT_TABLE_KEY: string = String.fromCharCode(KIND.nextTable)
/** The reserved names of deleted tables. */
export const KEPT_NAMES_KEY: string = String.fromCharCode(KIND.keptNames)
/** The service that the tables imitate; absent for Table storage. */
export const FLAVOUR_KEY: string = String.fromCharCode(KIND.flavour)

/** The records of each kind. */
export const RECORDS: Readonly<
  Record<'tables' | 'policies' | 'properties' | 'dropped', RecordRange>
> = {
  tables: rangeOfKind(KIND.table),
  policies: rangeOfKind(KIND.policies),
  properties: rangeOfKind(KIND.properties),
  dropped: rangeOfKind(KIND.dropped),
}

/** Returns the key of a table, by its name in lower case. */
export function tableKey(account: string, folded: string): string {
  return String.fromCharCode(KIND.table) + orderedText(printStoreKey(account, folded))
}

/** Returns the key of a table's access policies. */
export function policiesKey(table: number): string {
  return numbered(KIND.policies, table)
}

/** Returns the key of an account's service properties. */
export function propertiesKey(account: string): string {
  return String.fromCharCode(KIND.properties) + orderedText(account)
}

/** Returns the key of the record that a dropped table still has rows. */
export function droppedKey(table: number): string {
  return numbered(KIND.dropped, table)
}

/** Returns the key of a row. Within a table it sorts as the store key does. */
export function rowKey(table: number, storeKey: string): string {
  return numbered(KIND.row, table) + orderedText(storeKey)
}

/** Returns the range of a table's rows within a range of store keys. */
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

/** The units that UTF-8 writes in pairs, or sorts before units that precede them. */
const LATE_UNIT = /[\ud800-\uffff]/
const EACH_LATE_UNIT = /[\ud800-\uffff]/g

/**
 * Maps a text so that its UTF-8 sorts as the text does by UTF-16 code units, the service's order.
 * The UTF-8 of the text itself sorts characters beyond U+FFFF after U+E000 to U+FFFF. So each unit
 * from U+D800 on becomes a character beyond U+FFFF, and all others stay.
 */
function orderedText(text: string): string {
  return LATE_UNIT.test(text) ? text.replace(EACH_LATE_UNIT, lateCharacter) : text
}

function lateCharacter(unit: string): string {
  return String.fromCodePoint(0x10000 + unit.charCodeAt(0) - 0xd800)
}
