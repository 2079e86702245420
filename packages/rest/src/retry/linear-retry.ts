import { checkOptions } from '../check-options.ts'
import { checkWholeNumber } from '../check-whole-number.ts'
import type { RetryPolicy } from './retry-policy.ts'

/** How {@link linearRetry} waits. */
export interface LinearRetryOptions {
  /**
   * How many attempts to make in all, the first one included.
   *
   * @defaultValue `4`
   */
  readonly attempts?: number | undefined
  /**
   * The wait after each attempt, in milliseconds.
   *
   * @defaultValue `3_000`
   */
  readonly delay?: number | undefined
  /**
   * The longest wait that the service can ask for, in milliseconds.
   *
   * @defaultValue `30_000`
   */
  readonly maxDelay?: number | undefined
}

const OPTION_NAMES = ['attempts', 'delay', 'maxDelay'] as const

/**
 * Waits the same time after each attempt, or as long as the service asked for. Gives up on failures
 * that do not pass by themselves.
 *
 * Clients that wait alike come back all at once; prefer {@link exponentialRetry} where there are many.
 *
 * @param options - how often, and how long
 * @throws {@link UnknownOptionError} or {@link OptionValueError} for options that cannot be
 *
 * @example
 * ```ts
 * await customers.get(['Smith', 'Jeff'], { retry: linearRetry({ attempts: 3, delay: 500 }) })
 * ```
 */
export function linearRetry(options: LinearRetryOptions = {}): RetryPolicy {
  checkOptions(options, OPTION_NAMES, 'linearRetry')
  const attempts = checkWholeNumber(options.attempts ?? 4, 'attempts', 'linearRetry')
  const delay = checkWholeNumber(options.delay ?? 3_000, 'delay', 'linearRetry')
  const maxDelay = checkWholeNumber(options.maxDelay ?? 30_000, 'maxDelay', 'linearRetry')
  return Object.freeze({
    delayAfter: ({ number, transient, retryAfter }) => {
      if (!transient || number >= attempts) return undefined
      return retryAfter === undefined ? delay : Math.min(retryAfter, maxDelay)
    },
  } satisfies RetryPolicy)
}
