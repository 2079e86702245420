import { DateTimeValue, edmCodecs, encodeBase64Url, printDateTime, ticksOf } from '@rowkey/odata'
import { sha256 } from '../crypto/hash.ts'
import { base64urlFormat, escapedFormat } from './escaped-text.ts'
import type { KeyFormat } from './key-format.ts'
import type { KeyFormats } from './key-values.ts'
import { isText, textFormat } from './text-format.ts'

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Bytes as lower-case hexadecimal digits. */
export const hexFormat: KeyFormat = {
  type: 'Binary',
  takes: 'bytes as a Uint8Array',
  occupied: /^[0-9a-f]$/,
  print: (value) =>
    // `X'0aff'`, without the X and the quotes of a filter literal.
    value instanceof Uint8Array ? edmCodecs.Binary.printLiteral(value).slice(2, -1) : undefined,
  parse: (text) => (/^(?:[0-9a-f]{2})*$/.test(text) ? bytesIn(text) : undefined),
}

/** A Guid in lower case. */
export const guidFormat: KeyFormat = {
  type: 'Guid',
  takes: 'a Guid, such as one of crypto.randomUUID()',
  order: 'ascending',
  length: 36,
  print: (value) =>
    typeof value === 'string' && GUID.test(value) ? value.toLowerCase() : undefined,
  parse: (text) => (GUID.test(text) ? text : undefined),
}

/** The SHA-256 of a text's UTF-8 bytes as url-safe base64. It cannot be read back. */
export const hashFormat: KeyFormat = {
  type: 'String',
  takes: 'a text without lone surrogates',
  length: 43,
  print: (value) =>
    isText(value) ? encodeBase64Url(sha256(new TextEncoder().encode(value))) : undefined,
}

function bytesIn(hex: string): Uint8Array {
  const pairs = hex.match(/../g) ?? []
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
}

const MIN_INT64 = -(2n ** 63n)
const MAX_INT64 = 2n ** 63n - 1n

/** Makes the format of whole numbers of type `number`, with leading zeros: 7 as `00000007`. */
export function paddedNumber(digits: number): KeyFormat {
  const { print, parse, ...rest } = wholeNumbers(0n, 10n ** BigInt(digits) - 1n, digits)
  return {
    ...rest,
    type: digits < 10 ? 'Int32' : 'Double',
    print: (value) => (isWhole(value) ? print(BigInt(value)) : undefined),
    parse: (text) => toNumber(parse(text)),
  }
}

/** Makes the format of bigints, with leading zeros: 7n as `00000007`. */
export function paddedBigint(digits: number): KeyFormat {
  const most = 10n ** BigInt(digits) - 1n
  return wholeNumbers(0n, most < MAX_INT64 ? most : MAX_INT64, digits)
}

/** Makes the format of every Int32 as its distance from the least one, in ten digits: negative numbers first. */
export function int32Format(): KeyFormat {
  const { print, parse, ...rest } = wholeNumbers(-(2n ** 31n), 2n ** 31n - 1n, 10)
  return {
    ...rest,
    type: 'Int32',
    print: (value) => (isWhole(value) ? print(BigInt(value)) : undefined),
    parse: (text) => toNumber(parse(text)),
  }
}

/** Makes the format of every Int64 as its distance from the least one, in 20 digits: negative numbers first. */
export function int64Format(): KeyFormat {
  return wholeNumbers(MIN_INT64, MAX_INT64, 20)
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

interface BigintFormat extends KeyFormat {
  print(value: unknown): string | undefined
  parse(text: string): bigint | undefined
}

function wholeNumbers(least: bigint, most: bigint, digits: number): BigintFormat {
  const shape = new RegExp(`^\\d{${digits}}$`)
  // Without negative numbers the key shows the number itself, which people can read.
  const origin = least < 0n ? least : 0n
  return {
    type: 'Int64',
    takes: `a whole number from ${least} to ${most}`,
    order: 'ascending',
    length: digits,
    print(value) {
      if (typeof value !== 'bigint' || value < least || value > most) return undefined
      return (value - origin).toString().padStart(digits, '0')
    },
    parse(text) {
      const value = shape.test(text) ? BigInt(text) + origin : undefined
      return value !== undefined && value <= most ? value : undefined
    },
  }
}

function toNumber(value: bigint | undefined): number | undefined {
  return value === undefined ? undefined : Number(value)
}

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

/** A `number` is exact up to here; more digits need a bigint. */
const MAX_NUMBER_DIGITS = 15
const MAX_BIGINT_DIGITS = 19

const named: Readonly<Record<keyof KeyFormats, KeyFormat>> = {
  int32: int32Format(),
  int64: int64Format(),
  date: dateFormat,
  time: timeFormat,
  inverted: invertedFormat,
  guid: guidFormat,
  hex: hexFormat,
  escaped: escapedFormat,
  base64url: base64urlFormat,
  hash: hashFormat,
}

/** The formats with a name, for messages: `:int32, :int64, …`. */
export const NAMED_FORMATS: string = Object.keys(named)
  .map((name) => `:${name}`)
  .join(', ')

/** Finds the format that a template names after the colon; `undefined` for an unknown name. */
export function findKeyFormat(name: string): KeyFormat | undefined {
  const [, width, bigint] = /^([1-9]\d?)(n?)$/.exec(name) ?? []
  if (width === undefined) {
    if (name === '') return textFormat
    return Object.hasOwn(named, name) ? named[name as keyof KeyFormats] : undefined
  }
  const digits = Number(width)
  if (digits > (bigint ? MAX_BIGINT_DIGITS : MAX_NUMBER_DIGITS)) return undefined
  return bigint ? paddedBigint(digits) : paddedNumber(digits)
}
