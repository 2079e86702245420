import { DateTimeValue, printDateTime, ticksOf } from '@rowkey/odata'
import type { KeyFormat } from './key-format.ts'

const TAKES = 'a Date from 1601 to 9999'
const MS_A_DAY = 86_400_000
/** The ticks from the year 1 to 9999-12-31T23:59:59.9999999Z, and from the year 1 to 1970. */
const LAST_TICK = 3_155_378_975_999_999_999n
const TICKS_TO_1970 = 621_355_968_000_000_000n

/** A day in UTC: `2026-11-20`. */
export const dateFormat: KeyFormat = {
  type: 'DateTime',
  takes: `${TAKES} at midnight UTC`,
  order: 'ascending',
  length: 10,
  print: (value) =>
    isStorable(value) && isMidnight(value) ? printDateTime(value).slice(0, 10) : undefined,
  parse: (text) => dateIn(`${text}T00:00:00Z`),
}

/** An instant in UTC, to 100 ns: `2026-11-20T17:36:41.0000000Z`. */
export const timeFormat: KeyFormat = {
  type: 'DateTime',
  takes: TAKES,
  order: 'ascending',
  length: 28,
  print: (value) => (isStorable(value) ? padFraction(printDateTime(value)) : undefined),
  parse: dateIn,
}

/** An instant as the number of 100-ns ticks from it to the end of 9999, in 19 digits: newest first. */
export const invertedFormat: KeyFormat = {
  type: 'DateTime',
  takes: TAKES,
  order: 'descending',
  length: 19,
  print: (value) =>
    isStorable(value)
      ? (LAST_TICK - TICKS_TO_1970 - ticksOf(value)).toString().padStart(19, '0')
      : undefined,
  parse: (text) =>
    /^\d{19}$/.test(text) ? fromTicks(LAST_TICK - TICKS_TO_1970 - BigInt(text)) : undefined,
}

function isStorable(value: unknown): value is Date {
  try {
    return value instanceof Date && printDateTime(value) !== ''
  } catch {
    return false
  }
}

function isMidnight(date: Date): boolean {
  return ticksOf(date) % (BigInt(MS_A_DAY) * 10_000n) === 0n
}

/** Adds zeros to `2026-11-20T17:36:41.5Z` until its fraction has seven digits. */
function padFraction(text: string): string {
  const [seconds = '', fraction = ''] = text.slice(0, -1).split('.')
  return `${seconds}.${fraction.padEnd(7, '0')}Z`
}

function dateIn(text: string): DateTimeValue | undefined {
  try {
    return DateTimeValue.parse(text)
  } catch {
    return undefined
  }
}

function fromTicks(ticks: bigint): DateTimeValue {
  const past = ((ticks % 10_000n) + 10_000n) % 10_000n
  return new DateTimeValue(Number((ticks - past) / 10_000n), Number(past))
}
