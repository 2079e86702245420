import { type KeyRange, printStoreKey } from '../key-range.ts'

/** What a record is about: the first byte of its key. */
const KIND = {
  totals: 0x01,
  clock: 0x02,
  nextTable: 0x03,
  table: 0x10,
  policies: 0x11,
  properties: 0x12,
  dropped: 0x13,
  row: 0x20,
} as const

/** A stretch of records: `low` included, `high` not. */
export interface RecordRange {
  readonly low: Buffer
  readonly high: Buffer
}

/** How many records there are and what they add up to. */
export const TOTALS_KEY: Buffer = Buffer.of(KIND.totals)
/** The latest Timestamp ever given. */
export const CLOCK_KEY: Buffer = Buffer.of(KIND.clock)
/** The number of the next table. */
export const NEXT_TABLE_KEY: Buffer = Buffer.of(KIND.nextTable)

/** The records that describe tables, one kind after the other. */
export const TABLES: RecordRange = rangeOfKind(KIND.table)
export const POLICIES: RecordRange = rangeOfKind(KIND.policies)
export const PROPERTIES: RecordRange = rangeOfKind(KIND.properties)
export const DROPPED: RecordRange = rangeOfKind(KIND.dropped)

/** The record of a table, found by its name in lower case. */
export function tableKey(account: string, folded: string): Buffer {
  return Buffer.concat([Buffer.of(KIND.table), orderedBytes(printStoreKey(account, folded))])
}

/** The record of a table's access policies. */
export function policiesKey(table: number): Buffer {
  return numbered(KIND.policies, table)
}

/** The record of an account's service properties. */
export function propertiesKey(account: string): Buffer {
  return Buffer.concat([Buffer.of(KIND.properties), orderedBytes(account)])
}

/** The record that says of a table that its rows are still to be removed. */
export function droppedKey(table: number): Buffer {
  return numbered(KIND.dropped, table)
}

/** The record of a row. Sorts among the rows of its table as its store key does. */
export function rowKey(table: number, storeKey: string): Buffer {
  return Buffer.concat([numbered(KIND.row, table), orderedBytes(storeKey)])
}

/** The records of a table's rows within a range. */
export function rowRange(table: number, { low, high }: KeyRange): RecordRange {
  return {
    low: rowKey(table, low),
    high: high === undefined ? numbered(KIND.row, table + 1) : rowKey(table, high),
  }
}

function rangeOfKind(kind: number): RecordRange {
  return { low: Buffer.of(kind), high: Buffer.of(kind + 1) }
}

function numbered(kind: number, table: number): Buffer {
  const key = Buffer.allocUnsafe(5)
  key[0] = kind
  key.writeUInt32BE(table, 1)
  return key
}

/**
 * Bytes that sort as the text does by UTF-16 code units, which is the service's order. Those of
 * UTF-8 do not: there what lies beyond U+FFFF follows on U+E000 to U+FFFF.
 */
function orderedBytes(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}
