import {
  dateTimeOfTicks,
  decodeHex,
  type EdmType,
  encodeBase64Url,
  encodeHex,
  findDateTime,
  isGuid,
  printDateTime,
  ticksOf,
} from '@rowkey/odata'
import { sha256 } from '../crypto/hash.ts'
import type { KeyFormat } from './key-format.ts'
import type { KeyFormats } from './key-values.ts'
import { base64urlFormat, escapedFormat, isText, TAKEN_TEXT, textFormat } from './text-formats.ts'

/** Bytes as lower-case hexadecimal digits. */
const hexFormat: KeyFormat = {
  type: 'Binary',
  takes: 'bytes as a Uint8Array',
  occupied: /^[0-9a-f]$/,
  print: (value) => (value instanceof Uint8Array ? encodeHex(value) : undefined),
  parse: decodeHex,
}

/** A Guid in lower case. */
const guidFormat: KeyFormat = {
  type: 'Guid',
  takes: 'a Guid, such as one of crypto.randomUUID()',
  order: 'ascending',
  length: 36,
  print: (value) => (isGuid(value) ? value.toLowerCase() : undefined),
  parse: (text) => (isGuid(text) ? text : undefined),
}

/** The SHA-256 of a text's UTF-8 bytes as url-safe base64; that of a Guid in lower case, as it is stored. It cannot be read back. */
const hashFormat: KeyFormat = {
  type: 'String',
  takes: TAKEN_TEXT, // textFormat.takes would keep SHA-256 in every bundle
  length: 43,
  print(value) {
    const text = guidFormat.print(value, '') ?? value
    return isText(text) ? encodeBase64Url(sha256(new TextEncoder().encode(text))) : undefined
  },
}

// Literals: a bundler keeps a power of bigints, and with it all formats, in programs that use none of them.
const MIN_INT32 = -2_147_483_648n
const MAX_INT32 = 2_147_483_647n
const MIN_INT64 = -9_223_372_036_854_775_808n
const MAX_INT64 = 9_223_372_036_854_775_807n

/** Makes the format of bigints, with leading zeros: 7n as `00000007`. */
function paddedBigint(digits: number): BigintFormat {
  const most = 10n ** BigInt(digits) - 1n
  return wholeNumbers(0n, most < MAX_INT64 ? most : MAX_INT64, digits)
}

/** Makes the format of values of type `number` from that of the same bigints. */
function numbers(type: EdmType, { print, parse, ...rest }: BigintFormat): KeyFormat {
  return {
    ...rest,
    type,
    print: (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) ? print(BigInt(value)) : undefined,
    parse(text) {
      const value = parse(text)
      return value === undefined ? undefined : Number(value)
    },
  }
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

const TAKES = 'a Date from 1601 to 9999'
const TICKS_A_DAY = 864_000_000_000n
/** The ticks from the year 1 to 9999-12-31T23:59:59.9999999Z, and from the year 1 to 1970. */
const LAST_TICK = 3_155_378_975_999_999_999n
const TICKS_TO_1970 = 621_355_968_000_000_000n

/** A day in UTC: `2026-11-20`. */
const dateFormat: KeyFormat = {
  type: 'DateTime',
  takes: 'a Date from 1601 to 9999 at midnight UTC',
  order: 'ascending',
  length: 10,
  print: (value) =>
    isStorable(value) && isMidnight(value) ? printDateTime(value).slice(0, 10) : undefined,
  parse: (text) => findDateTime(`${text}T00:00:00Z`),
}

/** An instant in UTC, to 100 ns: `2026-11-20T17:36:41.0000000Z`. */
const timeFormat: KeyFormat = {
  type: 'DateTime',
  takes: TAKES,
  order: 'ascending',
  length: 28,
  print: (value) => (isStorable(value) ? padFraction(printDateTime(value)) : undefined),
  parse: findDateTime,
}

/** An instant as the number of 100-ns ticks from it to the end of 9999, in 19 digits: newest first. */
const invertedFormat: KeyFormat = {
  type: 'DateTime',
  takes: TAKES,
  order: 'descending',
  length: 19,
  print: (value) =>
    isStorable(value)
      ? (LAST_TICK - TICKS_TO_1970 - ticksOf(value)).toString().padStart(19, '0')
      : undefined,
  parse: (text) =>
    /^\d{19}$/.test(text) ? dateTimeOfTicks(LAST_TICK - TICKS_TO_1970 - BigInt(text)) : undefined,
}

function isStorable(value: unknown): value is Date {
  try {
    return value instanceof Date && printDateTime(value) !== ''
  } catch {
    return false
  }
}

function isMidnight(date: Date): boolean {
  return ticksOf(date) % TICKS_A_DAY === 0n
}

/** Adds zeros to `2026-11-20T17:36:41.5Z` until its fraction has seven digits. */
function padFraction(text: string): string {
  const [seconds = '', fraction = ''] = text.slice(0, -1).split('.')
  return `${seconds}.${fraction.padEnd(7, '0')}Z`
}

/** A `number` is exact up to here; more digits need a bigint. */
const MAX_NUMBER_DIGITS = 15
const MAX_BIGINT_DIGITS = 19

const named: Readonly<Record<keyof KeyFormats, KeyFormat>> = {
  // Every value as its distance from the least one, so negative numbers come first.
  int32: numbers('Int32', wholeNumbers(MIN_INT32, MAX_INT32, 10)),
  int64: wholeNumbers(MIN_INT64, MAX_INT64, 20),
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
  const bigints = paddedBigint(digits)
  return bigint ? bigints : numbers(digits < 10 ? 'Int32' : 'Double', bigints)
}
