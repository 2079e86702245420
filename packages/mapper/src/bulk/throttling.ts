import type { FailedAttempt, RetryPolicy } from '@rowkey/rest'

const CODES: ReadonlySet<string> = new Set([
  'ServerBusy',
  'TooManyRequests',
  'OperationTimedOut',
  'AttemptTimeout',
])

/** What tells that the service has too much to do. */
export interface BusySign {
  /** The response's HTTP status. */
  readonly status?: unknown
  /** The error's code. */
  readonly code?: unknown
}

/** Tells whether a failure means that the service has too much to do: 429, 503, or a timeout. */
export function isThrottling({ status, code }: BusySign): boolean {
  return status === 429 || status === 503 || (typeof code === 'string' && CODES.has(code))
}

/**
 * Wraps a retry policy, to observe the attempts that the service throttled.
 *
 * @param policy - decides
 * @param onThrottled - called before it decides
 */
export function observedPolicy(policy: RetryPolicy, onThrottled: () => void): RetryPolicy {
  return {
    delayAfter(failed: FailedAttempt) {
      if (isThrottling(failed)) onThrottled()
      return policy.delayAfter(failed)
    },
    forCall: (operation) => observedPolicy(policy.forCall?.(operation) ?? policy, onThrottled),
  }
}
