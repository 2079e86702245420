import { MAX_MS, MIN_MS, parseInstant, printInstant } from './date-time-text.ts'
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

/** Parses an instant as {@link parseDateTime} does, but returns `undefined` for any other text. */
export function findDateTime(text: unknown): DateTimeValue | undefined {
  const parts = typeof text === 'string' ? parseInstant(text) : undefined
  return parts && new DateTimeValue(parts.ms, parts.ticksPastMs)
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
  const ticksPastMs = BigInt.asUintN(64, ((epochNanoseconds / 100n) % 10_000n) + 10_000n) % 10_000n
  const ms = (epochNanoseconds / 100n - ticksPastMs) / 10_000n
  return new DateTimeValue(Number(ms), Number(ticksPastMs))
}
