import { declareOptions, invalidOption, type Rule, wholeNumber, withMethods } from '@rowkey/odata'
import type { LocationName } from '../endpoint/endpoint.ts'
import { isThrottled } from './verdict.ts'

/** A failed attempt that may be retried, as a {@link RetryPolicy} sees it. */
export interface FailedAttempt {
  /** Which attempt it was, counted from 1. */
  readonly number: number
  /**
   * The response's HTTP status, or that of the change that failed in a batch; `undefined` when no
   * response came.
   */
  readonly status: number | undefined
  /** The error's code, such as `ServerBusy` or `ConnectionFailed`. */
  readonly code: string
  /**
   * Whether this kind of failure usually passes: no whole response, 408, 429, or 500 and above but 501 and 505.
   */
  readonly transient: boolean
  /** Whether the attempt may have been applied despite the failure. Always `false` for a read. */
  readonly mayHaveApplied: boolean
  /** The account's location that the request went to. */
  readonly location: LocationName
  /** Milliseconds that the service asks the client to wait; `undefined` if it does not. */
  readonly retryAfter: number | undefined
  /** Returns a number from 0 up to but not including 1, different each time. */
  readonly random: () => number
}

/**
 * Decides whether to retry a failed attempt, and when.
 *
 * A policy is called only when a retry can do no harm. This is so for reads, for writes that were certainly
 * not applied, and for writes whose outcome can be determined afterwards.
 *
 * @example
 * ```ts
 * const patient: RetryPolicy = {
 *   delayAfter: ({ status, number }) => (status === 404 && number < 5 ? 200 : undefined),
 * }
 * await customers.get(['Smith', 'Jeff'], { retry: patient })
 * ```
 */
export interface RetryPolicy {
  /**
   * Returns how long to wait.
   *
   * @param failed - the attempt that failed
   * @returns milliseconds until the next attempt, 0 or more; `undefined` to give up
   */
  delayAfter(failed: FailedAttempt): number | undefined
  /**
   * Makes the policy of one call, for a policy that keeps state between attempts. Without it, one
   * policy serves all calls.
   *
   * @param operation - the operation's name, such as `insertEntity`
   */
  forCall?(operation: string): RetryPolicy
}

/** The rule of a {@link RetryPolicy}. */
export const retryRule: Rule = withMethods(
  'a RetryPolicy, such as exponentialRetry() or noRetry',
  'delayAfter',
)

/** Never retries: the first failure ends the call. */
export const noRetry: RetryPolicy = Object.freeze({ delayAfter: () => undefined })

/** The options of {@link exponentialRetry}. */
export interface ExponentialRetryOptions {
  /**
   * The number of attempts in all, the first one included.
   *
   * @defaultValue `4`
   */
  readonly attempts?: number | undefined
  /**
   * The number of attempts in all when the service throttles (429), as Cosmos DB does.
   *
   * @defaultValue the caller's `attempts`, otherwise `10`
   */
  readonly throttledAttempts?: number | undefined
  /**
   * The longest wait after the first attempt, in milliseconds. It doubles with each further attempt.
   *
   * @defaultValue `500`
   */
  readonly baseDelay?: number | undefined
  /**
   * The longest wait after any attempt, in milliseconds. It also limits what the service asks for.
   *
   * @defaultValue `30_000`
   */
  readonly maxDelay?: number | undefined
}

const exponentialOptions = declareOptions<ExponentialRetryOptions>({
  attempts: wholeNumber(),
  baseDelay: wholeNumber(0),
  maxDelay: wholeNumber(0),
  throttledAttempts: wholeNumber(),
})

/** Milliseconds that an attempt waits at most after the service rejected one because the account sends too much. */
const LONGEST_THROTTLED_WAIT = 4_000

/**
 * Retries transient failures after a random wait below a bound that doubles with each attempt ("full
 * jitter"), or after the time that the service asks for.
 *
 * This is the default. A short interruption is over before anyone notices: half of the first waits
 * are below a quarter of a second. Clients that hit a busy partition together come back spread out.
 * All waits together stay below four seconds; a longer outage is reported. Use
 * {@link storageExponentialRetry} for jobs that can wait for minutes.
 *
 * Throttling (429) passes by itself, but takes longer. Without a time from the service, each wait is then
 * between half and all of the bound, which ends at 4 s. Ten attempts take 13 to 28 seconds.
 *
 * @param options - the number of attempts and the waits
 * @throws `InputError` (`UnknownOption` or `InvalidOptionValue`)
 *
 * @example
 * ```ts
 * const retry = exponentialRetry({ attempts: 6, maxDelay: 10_000 })
 * const service = tableService({ connectionString: process.env.TABLES!, retry })
 * ```
 */
export function exponentialRetry(options: ExponentialRetryOptions = {}): RetryPolicy {
  exponentialOptions.check(options, 'exponentialRetry')
  checkRange(options, 'baseDelay', 'exponentialRetry')
  const { attempts = 4, baseDelay = 500, maxDelay = 30_000 } = options
  const { throttledAttempts = options.attempts ?? 10 } = options
  return policy({ attempts, throttledAttempts, maxDelay }, (failed) => {
    const { number, random } = failed
    const bound = Math.min(baseDelay * 2 ** (number - 1), maxDelay)
    if (!isThrottled(failed)) return random() * bound
    return (0.5 + 0.5 * random()) * Math.min(bound, LONGEST_THROTTLED_WAIT)
  })
}

/** The options of {@link linearRetry}. */
export interface LinearRetryOptions {
  /**
   * The number of attempts in all, the first one included.
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

const linearOptions = declareOptions<LinearRetryOptions>({
  attempts: wholeNumber(),
  delay: wholeNumber(0),
  maxDelay: wholeNumber(0),
})

/**
 * Retries transient failures after the same wait each time, or after the time that the service asks
 * for.
 *
 * Clients with the same wait come back all at once; prefer {@link exponentialRetry} for many clients.
 *
 * @param options - the number of attempts and the wait
 * @throws `InputError` (`UnknownOption` or `InvalidOptionValue`)
 *
 * @example
 * ```ts
 * await customers.get(['Smith', 'Jeff'], { retry: linearRetry({ attempts: 3, delay: 500 }) })
 * ```
 */
export function linearRetry(options: LinearRetryOptions = {}): RetryPolicy {
  linearOptions.check(options, 'linearRetry')
  const { attempts = 4, delay = 3_000, maxDelay = 30_000 } = options
  return policy({ attempts, maxDelay }, () => delay)
}

/** The options of {@link storageExponentialRetry}. */
export interface StorageExponentialRetryOptions {
  /**
   * The number of attempts in all, the first one included.
   *
   * @defaultValue `4`
   */
  readonly attempts?: number | undefined
  /**
   * The wait after the first attempt, in milliseconds; every other wait contains it.
   *
   * @defaultValue `3_000`
   */
  readonly minDelay?: number | undefined
  /**
   * The time added after the second attempt, in milliseconds, plus or minus 20 %. Three times as
   * much is added after the third attempt, seven times after the fourth, and so on.
   *
   * @defaultValue `30_000`
   */
  readonly deltaDelay?: number | undefined
  /**
   * The longest wait after any attempt, in milliseconds. It also limits what the service asks for.
   *
   * @defaultValue `90_000`
   */
  readonly maxDelay?: number | undefined
}

const storageOptions = declareOptions<StorageExponentialRetryOptions>({
  attempts: wholeNumber(),
  deltaDelay: wholeNumber(0),
  maxDelay: wholeNumber(0),
  minDelay: wholeNumber(0),
})

/**
 * Retries like the Azure Storage clients for Java and .NET do by default: after 3 s, then about 33 s,
 * then 90 s. Use it for programs that move from those clients, and for jobs that can wait for minutes.
 *
 * After attempt `n` it waits `minDelay + (2 ** (n - 1) - 1) * deltaDelay` and at most `maxDelay`; the
 * second part varies by 20 % either way. A time that the service asks for takes precedence.
 *
 * @param options - the number of attempts and the waits
 * @throws `InputError` (`UnknownOption` or `InvalidOptionValue`)
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
  storageOptions.check(options, 'storageExponentialRetry')
  checkRange(options, 'minDelay', 'storageExponentialRetry')
  const { attempts = 4, minDelay = 3_000, deltaDelay = 30_000, maxDelay = 90_000 } = options
  return policy({ attempts, maxDelay }, ({ number, random }) => {
    const varied = deltaDelay * (0.8 + 0.4 * random())
    return Math.min(minDelay + (2 ** (number - 1) - 1) * varied, maxDelay)
  })
}

/** Rejects a shortest wait above the longest; a default gives way to the caller's longest wait. */
function checkRange<Least extends string>(
  options: Partial<Readonly<Record<Least | 'maxDelay', number | undefined>>>,
  least: Least,
  where: string,
): void {
  const { [least]: shortest, maxDelay: longest } = options
  if (shortest === undefined || longest === undefined || shortest <= longest) return
  throw invalidOption(
    `${least} of ${where} is ${shortest}, above maxDelay, which is ${longest}. Lower it, or raise maxDelay.`,
    least,
  )
}

/** When a policy gives up, and its longest wait. */
interface PolicyBounds {
  readonly attempts: number
  readonly throttledAttempts?: number
  readonly maxDelay: number
}

/** Gives up after a number of attempts and on failures that stay; the service's own wait wins. */
function policy(
  { attempts, throttledAttempts = attempts, maxDelay }: PolicyBounds,
  delayOf: (failed: FailedAttempt) => number,
): RetryPolicy {
  return Object.freeze({
    delayAfter(failed: FailedAttempt): number | undefined {
      const most = isThrottled(failed) ? throttledAttempts : attempts
      if (!failed.transient || failed.number >= most) return undefined
      if (failed.retryAfter !== undefined) return Math.min(failed.retryAfter, maxDelay)
      return delayOf(failed)
    },
  })
}

/**
 * Checks the decision of a policy. A policy in JavaScript may return anything; `null` gives up, too.
 *
 * @param delay - the return value of `delayAfter`
 * @returns milliseconds until the next attempt; `undefined` to give up
 * @throws `InputError` (`InvalidOptionValue`) unless it is a number of 0 or more, `undefined` or `null`
 */
export function checkDelay(delay: unknown): number | undefined {
  if (delay === undefined || delay === null) return undefined
  if (typeof delay === 'number' && delay >= 0) return delay
  throw invalidOption(
    `delayAfter of a RetryPolicy returned ${typeof delay === 'number' ? delay : `a value of type ${typeof delay}`}. Return milliseconds, 0 or more, or undefined to give up.`,
  )
}
