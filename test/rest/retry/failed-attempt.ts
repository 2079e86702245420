import type { FailedAttempt } from '@rowkey/rest'

/** An attempt that failed, as a policy sees it: the first one, busy, unless it says otherwise. */
export function failedAttempt(change: Partial<FailedAttempt>): FailedAttempt {
  return {
    number: 1,
    status: 503,
    code: 'ServerBusy',
    transient: true,
    mayHaveApplied: false,
    location: 'primary',
    retryAfter: undefined,
    random: () => 1,
    ...change,
  }
}
