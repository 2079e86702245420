import {
  checkDateTime,
  DateTimeValue,
  parseDateTime,
  printDateTime,
  ticksPastMsOf,
} from './date-time-value.ts'
import type { EdmCodec } from './edm-codec.ts'
import { valueRefused } from './value-refused.ts'

/** DateTime: a `Date` with its ticks; a `Temporal.Instant` is taken where it loses nothing. */
export const dateTimeCodec: EdmCodec<'DateTime'> = {
  type: 'DateTime',
  accept(given, name) {
    return checkDateTime(isTemporalInstant(given) ? fromInstant(given, name) : given, name)
  },
  annotates: () => true,
  writeJson: (value) => `"${printDateTime(value)}"`,
  readJson: (json, name) => parseDateTime(json as string, name),
  printLiteral: (value) => `datetime'${printDateTime(value)}'`,
  compare: (a, b) => a.getTime() - b.getTime() || ticksPastMsOf(a) - ticksPastMsOf(b),
}

/** What we need of a `Temporal.Instant`; not every runtime has the class to ask for. */
interface TemporalInstant {
  readonly epochNanoseconds: bigint
}

/** Whether a value is a `Temporal.Instant`, native or of a polyfill; zoned times are none. */
export function isTemporalInstant(given: unknown): given is TemporalInstant {
  const tag = Object.prototype.toString.call(given)
  return tag === '[object Temporal.Instant]'
}

function fromInstant(instant: TemporalInstant, name: string): DateTimeValue {
  const { epochNanoseconds } = instant
  if (epochNanoseconds % 100n !== 0n) {
    throw valueRefused(
      'DateTime',
      name,
      instant,
      'steps of 100 ns; round the Temporal.Instant first',
    )
  }
  const ticksPastMs = BigInt.asUintN(64, ((epochNanoseconds / 100n) % 10_000n) + 10_000n) % 10_000n
  const ms = (epochNanoseconds / 100n - ticksPastMs) / 10_000n
  return new DateTimeValue(Number(ms), Number(ticksPastMs))
}
