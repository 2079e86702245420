/** One attempt that failed and may be repeated, as a {@link RetryPolicy} sees it. */
export interface FailedAttempt {
  /** Which attempt it was, counted from 1. */
  readonly number: number
  /** The answer's HTTP status; `undefined` when no answer came. */
  readonly status: number | undefined
  /** The error's code, such as `ServerBusy` or `ConnectionFailed`. */
  readonly code: string
  /** Whether the failure is of a kind that passes: no answer, 408, 429, 500, 502, 503 or 504. */
  readonly transient: boolean
  /** Milliseconds that the service asked to wait, when it did. */
  readonly retryAfter: number | undefined
  /** A number from 0 up to but not including 1, different each time. */
  readonly random: () => number
}

/**
 * Decides whether a failed attempt is followed by another, and when.
 *
 * It is asked only where a repetition can do no harm: for reads, and for writes that certainly were
 * not applied.
 */
export interface RetryPolicy {
  /**
   * How long to wait.
   *
   * @param failed - the attempt that failed
   * @returns milliseconds until the next attempt; `undefined` to give up
   */
  delayAfter(failed: FailedAttempt): number | undefined
}

/** Never tries again: the first failure is the call's. */
export const noRetry: RetryPolicy = Object.freeze({ delayAfter: () => undefined })
