import { checkOptions } from '../check-options.ts'
import { checkWholeNumber } from '../check-whole-number.ts'
import type { FailedAttempt, RetryPolicy } from './retry-policy.ts'

/** How {@link exponentialRetry} waits. */
export interface ExponentialRetryOptions {
  /**
   * How many attempts to make in all, the first one included.
   *
   * @defaultValue `4`
   */
  readonly attempts?: number | undefined
  /**
   * The longest wait after the first attempt, in milliseconds. It doubles with each further one.
   *
   * @defaultValue `500`
   */
  readonly baseDelay?: number | undefined
  /**
   * The longest wait after any attempt, in milliseconds; it bounds what the service asks for, too.
   *
   * @defaultValue `30_000`
   */
  readonly maxDelay?: number | undefined
}

const OPTION_NAMES = ['attempts', 'baseDelay', 'maxDelay'] as const

/**
 * Waits a random time, up to a bound that doubles with each attempt ("full jitter"), or as long as
 * the service asked for. Gives up on failures that do not pass by themselves.
 *
 * This is the default, because it serves the two cases that are common best: a blip is over before
 * anybody notices (half of the first waits are below a quarter of a second, where the clients of other
 * languages wait three), and a busy partition is asked by clients that have spread out, not by all at
 * once. The whole of the waits stays below four seconds; what takes longer is an outage, which a
 * request that someone waits for should report. Jobs that can wait take {@link storageExponentialRetry}.
 *
 * @param options - how often, and how long
 * @throws {@link UnknownOptionError} or {@link OptionValueError} for options that cannot be
 *
 * @example
 * ```ts
 * const retry = exponentialRetry({ attempts: 6, maxDelay: 10_000 })
 * const service = tableService({ connectionString: process.env.TABLES!, retry })
 * ```
 */
export function exponentialRetry(options: ExponentialRetryOptions = {}): RetryPolicy {
  checkOptions(options, OPTION_NAMES, 'exponentialRetry')
  const attempts = checkWholeNumber(options.attempts ?? 4, 'attempts', 'exponentialRetry')
  const baseDelay = checkWholeNumber(options.baseDelay ?? 500, 'baseDelay', 'exponentialRetry')
  const maxDelay = checkWholeNumber(options.maxDelay ?? 30_000, 'maxDelay', 'exponentialRetry')
  return Object.freeze({
    delayAfter({ number, transient, retryAfter, random }: FailedAttempt): number | undefined {
      if (!transient || number >= attempts) return undefined
      if (retryAfter !== undefined) return Math.min(retryAfter, maxDelay)
      return random() * Math.min(baseDelay * 2 ** (number - 1), maxDelay)
    },
  })
}
