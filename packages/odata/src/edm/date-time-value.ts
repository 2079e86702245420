import { MAX_MS, MIN_MS, parseInstant, printInstant } from './date-time-text.ts'
import { valueRefused } from './value-refused.ts'

const TAKES =
  'instants from 1601-01-01T00:00:00Z to 9999-12-31T23:59:59.9999999Z in steps of 100 ns'

/** `Date` without its statics: there `parse` gives a number, and {@link DateTimeValue.parse} does not. */
const Instant: new (ms: number) => Date = Date

/**
 * A `Date` that also carries the 100-ns ticks past its millisecond, as the service stores them.
 *
 * It is a `Date` in every way: `getTime()` and `toISOString()` give milliseconds. `toJSON()` and
 * {@link printDateTime} give up to seven fraction digits. When a setter moves the date to another
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
   * @throws {@link PropertyValueError} when the ticks are not such a number
   */
  constructor(ms: number, ticksPastMs = 0) {
    super(ms)
    if (!Number.isInteger(ticksPastMs) || ticksPastMs < 0 || ticksPastMs > 9_999) {
      throw valueRefused(
        'DateTime',
        '',
        ticksPastMs,
        'whole ticks from 0 to 9999 past a millisecond',
      )
    }
    this.#ms = this.getTime()
    this.#ticksPastMs = ticksPastMs
  }

  /**
   * An instant from its text: the same as {@link parseDateTime}.
   *
   * @param text - ISO 8601, such as `2017-11-10T02:46:55.7383596Z`
   * @throws {@link PropertyValueError} when it is not an instant the service stores
   */
  static parse(text: string): DateTimeValue {
    return parseDateTime(text)
  }

  /** Steps of 100 ns past the millisecond, 0 to 9,999. */
  get ticksPastMs(): number {
    return this.getTime() === this.#ms ? this.#ticksPastMs : 0
  }

  /** Steps of 100 ns since 1970-01-01T00:00:00Z, negative before. */
  get ticks(): bigint {
    return ticksOf(this)
  }

  /** ISO 8601 in UTC with up to seven fraction digits; `null` for an invalid date, as with `Date`. */
  override toJSON(): string {
    return isStorable(this) ? printInstant(this.getTime(), this.ticksPastMs) : super.toJSON()
  }
}

/**
 * Reads an instant: ISO 8601 with up to seven fraction digits, in UTC (`Z`), with an offset, or
 * with neither, which is taken as UTC; a date alone is its midnight.
 *
 * @param text - such as `2017-11-10T02:46:55.7383596Z`
 * @param property - the property's name, for the message
 * @throws {@link PropertyValueError} when the text is anything else, or outside of 1601 to 9999
 *
 * @example
 * ```ts
 * parseDateTime('2012-11-10T03:04:05.2+01:00').toJSON() // '2012-11-10T02:04:05.2Z'
 * ```
 */
export function parseDateTime(text: string, property = ''): DateTimeValue {
  const instant = findDateTime(text)
  if (instant !== undefined) return instant
  throw valueRefused('DateTime', property, text, `${TAKES}, as ISO 8601 text`)
}

/** The same as {@link parseDateTime}, but `undefined` for what is no such text. */
export function findDateTime(text: unknown): DateTimeValue | undefined {
  const parts = typeof text === 'string' ? parseInstant(text) : undefined
  return parts && new DateTimeValue(parts.ms, parts.ticksPastMs)
}

/**
 * Writes an instant as the service does: up to seven fraction digits without trailing zeros, `Z`.
 *
 * @param date - any `Date`; a {@link DateTimeValue} keeps its ticks
 * @throws {@link PropertyValueError} when the date is invalid or outside of 1601 to 9999
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
 * Steps of 100 ns since 1970-01-01T00:00:00Z, negative before.
 *
 * @param date - any valid `Date`
 * @throws {@link PropertyValueError} when the date is invalid or outside of 1601 to 9999
 */
export function ticksOf(date: Date): bigint {
  return BigInt(checkDateTime(date, '').getTime()) * 10_000n + BigInt(ticksPastMsOf(date))
}

/** The ticks past the millisecond of a {@link DateTimeValue}, of whichever copy of the package; else 0. */
export function ticksPastMsOf(date: Date): number {
  return 'ticksPastMs' in date && typeof date.ticksPastMs === 'number' ? date.ticksPastMs : 0
}

/** Refuses what is no Date, an invalid one, and one that the service has no room for. */
export function checkDateTime(given: unknown, property: string): Date {
  if (given instanceof Date && isStorable(given)) return given
  throw valueRefused('DateTime', property, given, TAKES)
}

function isStorable(date: Date): boolean {
  const ms = date.getTime()
  return ms >= MIN_MS && ms <= MAX_MS
}
