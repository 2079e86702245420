import { checkOptions } from '../check-options.ts'
import { checkWholeNumber } from '../check-whole-number.ts'
import type { RetryPolicy } from './retry-policy.ts'

/** How {@link storageExponentialRetry} waits. */
export interface StorageExponentialRetryOptions {
  /**
   * How many attempts to make in all, the first one included.
   *
   * @defaultValue `4`
   */
  readonly attempts?: number | undefined
  /**
   * The wait after the first attempt, in milliseconds; part of every other wait.
   *
   * @defaultValue `3_000`
   */
  readonly minDelay?: number | undefined
  /**
   * What is added after the second attempt, in milliseconds, give or take 20 %. It is added three
   * times after the third attempt, seven times after the fourth, and so on.
   *
   * @defaultValue `30_000`
   */
  readonly deltaDelay?: number | undefined
  /**
   * The longest wait after any attempt, in milliseconds; it bounds what the service asks for, too.
   *
   * @defaultValue `90_000`
   */
  readonly maxDelay?: number | undefined
}

const OPTION_NAMES = ['attempts', 'deltaDelay', 'maxDelay', 'minDelay'] as const
const WHERE = 'storageExponentialRetry'

/**
 * Waits as the Azure Storage clients for Java and .NET do by default: 3 s, then about 33 s, then
 * 90 s. For programs that move from those clients, and for jobs that rather wait minutes than fail.
 *
 * After attempt `n` it waits `minDelay + (2 ** (n - 1) - 1) * deltaDelay`, of which the second part
 * varies by 20 % either way, and at most `maxDelay`; or as long as the service asked for.
 *
 * @param options - how often, and how long
 * @throws {@link UnknownOptionError} or {@link OptionValueError} for options that cannot be
 *
 * @example
 * ```ts
 * const service = tableService({
 *   connectionString: process.env.TABLES!,
 *   retry: storageExponentialRetry({ attempts: 7 }),
 * })
 * ```
 */
export function storageExponentialRetry(options: StorageExponentialRetryOptions = {}): RetryPolicy {
  checkOptions(options, OPTION_NAMES, WHERE)
  const attempts = checkWholeNumber(options.attempts ?? 4, 'attempts', WHERE)
  const minDelay = checkWholeNumber(options.minDelay ?? 3_000, 'minDelay', WHERE)
  const deltaDelay = checkWholeNumber(options.deltaDelay ?? 30_000, 'deltaDelay', WHERE)
  const maxDelay = checkWholeNumber(options.maxDelay ?? 90_000, 'maxDelay', WHERE)
  return Object.freeze({
    delayAfter: ({ number, transient, retryAfter, random }) => {
      if (!transient || number >= attempts) return undefined
      if (retryAfter !== undefined) return Math.min(retryAfter, maxDelay)
      const varied = deltaDelay * (0.8 + 0.4 * random())
      return Math.min(minDelay + (2 ** (number - 1) - 1) * varied, maxDelay)
    },
  } satisfies RetryPolicy)
}
