import { OptionValueError } from '../errors/option-value-error.ts'
import type { LocationName } from '../location-name.ts'

/** One attempt that failed and may be repeated, as a {@link RetryPolicy} sees it. */
export interface FailedAttempt {
  /** Which attempt it was, counted from 1. */
  readonly number: number
  /** The answer's HTTP status; `undefined` when no answer came. */
  readonly status: number | undefined
  /** The error's code, such as `ServerBusy` or `ConnectionFailed`. */
  readonly code: string
  /**
   * Whether the failure is of a kind that passes: no whole answer, 408, 429, 500, 502, 503 or 504.
   */
  readonly transient: boolean
  /** Whether the attempt may have been applied all the same. Always `false` for a read. */
  readonly mayHaveApplied: boolean
  /** Which of the account's two locations was asked. */
  readonly location: LocationName
  /** Milliseconds that the service asked to wait, when it did. */
  readonly retryAfter: number | undefined
  /** A number from 0 up to but not including 1, different each time. */
  readonly random: () => number
}

/**
 * Decides whether a failed attempt is followed by another, and when.
 *
 * It is asked only where a repetition can do no harm: for reads, for writes that certainly were not
 * applied, and for writes whose outcome can be told apart afterwards.
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
   * How long to wait.
   *
   * @param failed - the attempt that failed
   * @returns milliseconds until the next attempt, 0 or more; `undefined` to give up
   */
  delayAfter(failed: FailedAttempt): number | undefined
  /**
   * Makes the policy of one call, for a policy that remembers something from attempt to attempt.
   * Without it, one policy serves all calls.
   *
   * @param operation - the operation's name, such as `insertEntity`
   */
  forCall?(operation: string): RetryPolicy
}

/** Never tries again: the first failure is the call's. */
export const noRetry: RetryPolicy = Object.freeze({ delayAfter: () => undefined })

/**
 * What a policy decided. One that is written in JavaScript may give anything; `null` gives up, too.
 *
 * @param delay - what `delayAfter` gave
 * @returns milliseconds until the next attempt; `undefined` to give up
 * @throws {@link OptionValueError} for what is no number of 0 or more
 */
export function checkDelay(delay: unknown): number | undefined {
  if (delay === undefined || delay === null) return undefined
  if (typeof delay === 'number' && delay >= 0) return delay
  throw new OptionValueError({
    message: `delayAfter of a RetryPolicy gave ${typeof delay === 'number' ? delay : `a ${typeof delay}`}. It must give milliseconds, 0 or more, or undefined to give up.`,
  })
}
