import { invalidOption } from '../errors/codes.ts'
import { checkOptions, checkWholeNumber, type OptionNames } from '../options/check-options.ts'
import type { CallOptions } from '../retry/call-options.ts'

/** How long each marker stays at least, in milliseconds: longer than an attempt may be pending. */
export const LEAST_AGE: number = 10 * 60 * 1000

/** The options of a sweep. */
export interface SweepOptions extends CallOptions {
  /**
   * Milliseconds since a marker was stored, by the service's clock: at least 10 minutes. A younger
   * marker stays. Longer than any attempt may be pending, and than a process repeats a write with its
   * `idempotencyKey`.
   *
   * @defaultValue 24 hours
   */
  readonly olderThan?: number | undefined
}

const SWEEP_OPTION_NAMES: OptionNames<SweepOptions> = {
  context: true,
  deadline: true,
  exactWrites: true,
  idempotencyKey: true,
  locationMode: true,
  olderThan: true,
  retry: true,
  signal: true,
  timeout: true,
}

/**
 * Rejects unknown options of a sweep, and an age that a pending attempt may outlive.
 *
 * @param options - the options
 * @param where - the call, for the message
 * @throws `InputError` (`UnknownOption` or `InvalidOptionValue`)
 */
export function checkSweepOptions(options: SweepOptions, where: string): void {
  checkOptions(options, SWEEP_OPTION_NAMES, where)
  const { olderThan = LEAST_AGE } = options
  checkWholeNumber(olderThan, 'olderThan', where)
  if (olderThan >= LEAST_AGE) return
  throw invalidOption(
    `olderThan of ${where} must be at least ${LEAST_AGE} milliseconds: a pending attempt must meet its marker.`,
  )
}
