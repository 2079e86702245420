import { crc32 } from 'node:zlib'

/** Hexadecimal digits before the text. */
export const CHECKSUM_LENGTH = 8

/** A record as the engine keeps it: the CRC-32 of its key and its text in hexadecimal, then the text. */
export function sealText(key: string, text: string): string {
  return printChecksum(key, text) + text
}

/** The text of a record; `undefined` when it is not what was sealed under this key. */
export function unsealText(key: string, sealed: string): string | undefined {
  const text = sealed.slice(CHECKSUM_LENGTH)
  return sealed.startsWith(printChecksum(key, text)) ? text : undefined
}

/** Whether a record is what was once sealed under this key. */
export function isSealed(key: string, sealed: string): boolean {
  return unsealText(key, sealed) !== undefined
}

/** The checksum that a record carries. */
export function sealOf(sealed: string): number {
  return Number.parseInt(sealed.slice(0, CHECKSUM_LENGTH), 16)
}

/** Of the bytes of UTF-8: what damage makes of them is another text, and has another checksum. */
function printChecksum(key: string, text: string): string {
  return crc32(key + text)
    .toString(16)
    .padStart(CHECKSUM_LENGTH, '0')
}

/**
 * What all records but this one add up to. Each commit writes it with what it changes, so that a
 * record which is lost or comes back is missed, as one which is changed is by its own checksum.
 */
export interface Totals {
  /** How many commits there have been. */
  readonly commits: number
  /** How many records there are. */
  readonly records: number
  /** The sum of the checksums of all records, modulo 2^32. */
  readonly sum: number
}

/** The totals of a store without records. */
export const NO_TOTALS: Totals = { commits: 0, records: 0, sum: 0 }

/** The totals as the text of their record. */
export function printTotals({ commits, records, sum }: Totals): string {
  return JSON.stringify({ commits, records, sum })
}

/** The totals from the text of their record. */
export function parseTotals(text: string): Totals {
  return JSON.parse(text)
}

/** Totals after one record took the place of another; either may be absent. */
export function withRecord(
  totals: Totals,
  before: string | undefined,
  after: string | undefined,
): Totals {
  const added = after === undefined ? 0 : sealOf(after)
  const removed = before === undefined ? 0 : sealOf(before)
  return {
    commits: totals.commits,
    records: totals.records + Number(after !== undefined) - Number(before !== undefined),
    sum: (totals.sum + added - removed) >>> 0,
  }
}
