import { type EdmCodec, invalidValue, unreadableValue } from './edm-codec.ts'

const RANGE = 'from 1601-01-01T00:00:00Z to 9999-12-31T23:59:59.9999999Z'
const TEXT = `ISO 8601 text of an instant ${RANGE}, with up to seven fraction digits`

/** `Date` without its statics: `Date.parse` returns a number, and {@link DateTimeValue.parse} does not. */
const Instant: new (ms: number) => Date = Date

/**
 * A `Date` that also carries the 100-ns ticks past its millisecond, as the service stores them.
 *
 * It is a `Date` in every way: `getTime()` and `toISOString()` have milliseconds. `toJSON()` and
 * {@link printDateTime} have up to seven fraction digits. When a setter moves the date to another
 * millisecond, the ticks no longer apply.
 *
 * @example
 * ```ts
 * const modified = DateTimeValue.parse('2017-11-10T02:46:55.7383596Z')
 * modified.toISOString() // '2017-11-10T02:46:55.738Z'
 * modified.toJSON() // '2017-11-10T02:46:55.7383596Z'
 * ```
 */
export class DateTimeValue extends Instant {
  readonly #ms: number
  readonly #ticksPastMs: number

  /**
   * @param ms - milliseconds since 1970-01-01T00:00:00Z, negative before; a fraction is cut off
   * @param ticksPastMs - how many steps of 100 ns later, 0 to 9,999; `@defaultValue 0`
   * @throws `InputError` (`InvalidPropertyValue`) when the ticks are not a whole number from 0 to 9,999
   */
  constructor(ms: number, ticksPastMs = 0) {
    super(ms)
    if (!Number.isInteger(ticksPastMs) || ticksPastMs < 0 || ticksPastMs > 9_999) {
      const use = 'whole ticks from 0 to 9999 past a millisecond'
      throw invalidValue('DateTime', '', ticksPastMs, use)
    }
    this.#ms = this.getTime()
    this.#ticksPastMs = ticksPastMs
  }

  /**
   * Parses an instant, as {@link parseDateTime} does.
   *
   * @param text - ISO 8601, such as `2017-11-10T02:46:55.7383596Z`
   * @throws `InputError` (`InvalidPropertyValue`) when it is not an instant that the service stores
   */
  static parse(text: string): DateTimeValue {
    return parseDateTime(text)
  }

  /** The steps of 100 ns past the millisecond, 0 to 9,999. */
  get ticksPastMs(): number {
    return this.getTime() === this.#ms ? this.#ticksPastMs : 0
  }

  /** The steps of 100 ns since 1970-01-01T00:00:00Z, negative before. */
  get ticks(): bigint {
    return ticksOf(this)
  }

  /** Returns ISO 8601 in UTC with up to seven fraction digits; `null` for an invalid date, as `Date` does. */
  override toJSON(): string {
    return isStorable(this) ? printInstant(this.getTime(), this.ticksPastMs) : super.toJSON()
  }
}

/**
 * Parses an instant: ISO 8601 with up to seven fraction digits, in UTC (`Z`), with an offset, or
 * with neither, which is UTC too; a date alone is its midnight.
 *
 * @param text - such as `2017-11-10T02:46:55.7383596Z`
 * @param property - the property's name, for the message
 * @throws `InputError` (`InvalidPropertyValue`) for any other text, and outside of 1601 to 9999
 *
 * @example
 * ```ts
 * parseDateTime('2012-11-10T03:04:05.2+01:00').toJSON() // '2012-11-10T02:04:05.2Z'
 * ```
 */
export function parseDateTime(text: string, property = ''): DateTimeValue {
  const instant = findDateTime(text)
  if (instant !== undefined) return instant
  throw invalidValue('DateTime', property, text, TEXT)
}

/**
 * Parses an instant as {@link parseDateTime} does, but returns `undefined` for any other text.
 *
 * @param text - any value
 */
export function findDateTime(text: unknown): DateTimeValue | undefined {
  const instant = typeof text === 'string' ? (parseUtc(text) ?? parseLenient(text)) : undefined
  return instant !== undefined && isStorable(instant) ? instant : undefined
}

/**
 * Prints an instant as the service does: up to seven fraction digits without trailing zeros, `Z`.
 *
 * @param date - any `Date`; a {@link DateTimeValue} keeps its ticks
 * @throws `InputError` (`InvalidPropertyValue`) when the date is invalid or outside of 1601 to 9999
 *
 * @example
 * ```ts
 * printDateTime(new Date(0)) // '1970-01-01T00:00:00Z'
 * ```
 */
export function printDateTime(date: Date): string {
  return printInstant(checkDateTime(date, '').getTime(), ticksPastMsOf(date))
}

/**
 * Counts the steps of 100 ns since 1970-01-01T00:00:00Z, negative before.
 *
 * @param date - any valid `Date`
 * @throws `InputError` (`InvalidPropertyValue`) when the date is invalid or outside of 1601 to 9999
 */
export function ticksOf(date: Date): bigint {
  return BigInt(checkDateTime(date, '').getTime()) * 10_000n + BigInt(ticksPastMsOf(date))
}

/**
 * Makes the DateTime of a number of ticks.
 *
 * @param ticks - the steps of 100 ns since 1970-01-01T00:00:00Z, negative before
 *
 * @example
 * ```ts
 * dateTimeOfTicks(10_001n).toJSON() // '1970-01-01T00:00:00.0010001Z'
 * ```
 */
export function dateTimeOfTicks(ticks: bigint): DateTimeValue {
  // Division of bigints rounds towards zero, and ticks past a millisecond are never negative.
  const past = ((ticks % 10_000n) + 10_000n) % 10_000n
  return new DateTimeValue(Number((ticks - past) / 10_000n), Number(past))
}

/** The ticks past the millisecond of a {@link DateTimeValue} of any copy of the package; 0 for a `Date`. */
function ticksPastMsOf(date: Date): number {
  return 'ticksPastMs' in date && typeof date.ticksPastMs === 'number' ? date.ticksPastMs : 0
}

/** Rejects a value that is not a Date, an invalid Date, and one outside of the service's range. */
function checkDateTime(given: unknown, property: string): Date {
  if (given instanceof Date && isStorable(given)) return given
  throw invalidValue('DateTime', property, given, `a Date ${RANGE}`)
}

function isStorable(date: Date): boolean {
  const ms = date.getTime()
  return ms >= MIN_MS && ms <= MAX_MS
}

/** DateTime: a `Date` with its ticks; a `Temporal.Instant` is accepted where it loses nothing. */
export const dateTimeCodec: EdmCodec<'DateTime'> = {
  type: 'DateTime',
  accept(given, name) {
    return checkDateTime(isTemporalInstant(given) ? fromInstant(given, name) : given, name)
  },
  annotates: () => true,
  writeJson: (value) => `"${printDateTime(value)}"`,
  readJson(json, name) {
    const instant = findDateTime(json)
    if (instant !== undefined) return instant
    throw unreadableValue('DateTime', name, json, TEXT)
  },
  printLiteral: (value) => `datetime'${printDateTime(value)}'`,
  compare: (a, b) => a.getTime() - b.getTime() || ticksPastMsOf(a) - ticksPastMsOf(b),
}

/** The part of a `Temporal.Instant` that is used here; not every runtime has the class. */
interface TemporalInstant {
  readonly epochNanoseconds: bigint
}

/** Tells whether a value is a `Temporal.Instant`, native or of a polyfill; zoned times are not. */
export function isTemporalInstant(given: unknown): given is TemporalInstant {
  const tag = Object.prototype.toString.call(given)
  return tag === '[object Temporal.Instant]'
}

function fromInstant(instant: TemporalInstant, name: string): DateTimeValue {
  const { epochNanoseconds } = instant
  if (epochNanoseconds % 100n !== 0n) {
    const use = 'steps of 100 ns; round the Temporal.Instant first'
    throw invalidValue('DateTime', name, instant, use)
  }
  return dateTimeOfTicks(epochNanoseconds / 100n)
}

/** 1601-01-01T00:00:00Z, the first instant that the service stores. */
export const MIN_MS = -11_644_473_600_000
/** The last millisecond of the year 9999; with 9,999 ticks it is the last instant. */
export const MAX_MS = 253_402_300_799_999

const MINUTE = 60_000

const LENIENT =
  /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|([+-])(\d\d):(\d\d))?)?$/i

/** Parses the service's own form, `2017-11-10T02:46:55.7383596Z`, in half the time of `Date`. */
function parseUtc(text: string): DateTimeValue | undefined {
  const seconds = parseSeconds(text)
  if (Number.isNaN(seconds)) return undefined
  const last = text.length - 1
  if (text[last] !== 'Z') return undefined
  if (last === 19) return new DateTimeValue(seconds)
  const digits = last - 20
  if (text[19] !== '.' || digits < 1 || digits > 7) return undefined
  const ticks = digitsOf(text, 20, last) * 10 ** (7 - digits)
  if (Number.isNaN(ticks)) return undefined
  return new DateTimeValue(seconds + Math.floor(ticks / 10_000), ticks % 10_000)
}

/** Parses `2017-11-10T02:46:55` to milliseconds since 1970, or NaN. */
function parseSeconds(text: string): number {
  const isShaped =
    text[4] === '-' && text[7] === '-' && text[10] === 'T' && text[13] === ':' && text[16] === ':'
  if (!isShaped) return Number.NaN
  const year = digitsOf(text, 0, 4)
  const month = digitsOf(text, 5, 7)
  const day = digitsOf(text, 8, 10)
  const hour = digitsOf(text, 11, 13)
  const minute = digitsOf(text, 14, 16)
  const second = digitsOf(text, 17, 19)
  const isTime = hour < 24 && minute < 60 && second < 60
  // Date.UTC reads years below 100 as 1900 and later; the service begins at 1601.
  const isDay = year >= 1600 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
  return isTime && isDay ? Date.UTC(year, month - 1, day, hour, minute, second) : Number.NaN
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Parses the decimal number between two places, or returns NaN. */
function digitsOf(text: string, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    number = number * 10 + digit
  }
  return number
}

/** Parses the other forms that the service accepts. */
function parseLenient(text: string): DateTimeValue | undefined {
  const match = LENIENT.exec(text)
  if (match === null) return undefined
  const [
    ,
    date,
    time = '00:00',
    second = '00',
    fraction = '',
    sign = '+',
    hours = '0',
    minutes = '0',
  ] = match
  const offset = Number(hours) * 60 + Number(minutes)
  const exact = fraction.slice(0, 7).padEnd(7, '0')
  const isLossless = /^0*$/.test(fraction.slice(7))
  if (!isLossless || Number(hours) > 23 || Number(minutes) > 59) return undefined
  const utc = parseUtc(`${date}T${time}:${second}.${exact}Z`)
  if (utc === undefined) return undefined
  return new DateTimeValue(utc.getTime() - Number(`${sign}${offset}`) * MINUTE, utc.ticksPastMs)
}

/**
 * Prints an instant as the service does: up to seven fraction digits without trailing zeros, and `Z`.
 *
 * @param ms - whole milliseconds since 1970, from {@link MIN_MS} to {@link MAX_MS}
 * @param ticksPastMs - 0 to 9,999
 */
export function printInstant(ms: number, ticksPastMs: number): string {
  const minute = Math.floor(ms / MINUTE)
  // A digit in front keeps leading zeros; then come two digits of seconds and seven.
  const digits = String(1_000_000_000 + (ms - minute * MINUTE) * 10_000 + ticksPastMs)
  let end = digits.length
  while (end > 3 && digits.charCodeAt(end - 1) === 48) end--
  const fraction = end === 3 ? '' : `.${digits.slice(3, end)}`
  return `${minuteText(minute)}${digits.slice(1, 3)}${fraction}Z`
}

/** Instants that are printed in succession are often of a few minutes: a date of each entity, and its Timestamp. */
const minuteTexts = new Map<number, string>()
const MOST_MINUTES = 64

function minuteText(minute: number): string {
  const known = minuteTexts.get(minute)
  if (known !== undefined) return known
  if (minuteTexts.size === MOST_MINUTES) minuteTexts.clear()
  const text = new Date(minute * MINUTE).toISOString().slice(0, 17)
  minuteTexts.set(minute, text)
  return text
}
