import { crc32 } from 'node:zlib'

/** Hexadecimal digits before the text. */
export const CHECKSUM_LENGTH = 8

/** Seals a record: the CRC-32 of its key and text in hexadecimal, then the text. */
export function sealText(key: string, text: string): string {
  return printChecksum(key, text) + text
}

/** Returns the text of a record; `undefined` when it was not sealed under this key. */
export function unsealText(key: string, sealed: string): string | undefined {
  const text = sealed.slice(CHECKSUM_LENGTH)
  return sealed.startsWith(printChecksum(key, text)) ? text : undefined
}

/** Returns the checksum of a sealed record. */
export function sealOf(sealed: string): number {
  return Number.parseInt(sealed.slice(0, CHECKSUM_LENGTH), 16)
}

/** Computes the checksum over UTF-8, so that damaged bytes have another one. */
function printChecksum(key: string, text: string): string {
  const checksum = crc32(key + text)
  // Printing a number of 32 bits at once takes as long as computing it.
  return printHalf(checksum >>> 16) + printHalf(checksum & 0xffff)
}

function printHalf(number: number): string {
  return number.toString(16).padStart(CHECKSUM_LENGTH / 2, '0')
}

/**
 * The totals of all other records. Each commit writes them, so that a record which is lost or
 * restored is missed. A changed record has a wrong checksum.
 */
export interface Totals {
  /** How many commits there were. */
  readonly commits: number
  /** How many records there are. */
  readonly records: number
  /** The sum of the checksums of all records, modulo 2^32. */
  readonly sum: number
}

/** The totals of an empty store. */
export const NO_TOTALS: Totals = { commits: 0, records: 0, sum: 0 }

/** Prints the totals as the text of their record. */
export function printTotals({ commits, records, sum }: Totals): string {
  return JSON.stringify({ commits, records, sum })
}

/** Parses the totals from the text of their record. */
export function parseTotals(text: string): Totals {
  return JSON.parse(text)
}

/** Returns the totals after one record replaced another; either may be absent. */
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
