import {
  AbortError,
  BatchError,
  BudgetError,
  DeadlineError,
  isOverloaded,
  mayHaveApplied,
  TransportError,
} from '@rowkey/rest'

/**
 * The outcome of the operations of a failed transaction.
 *
 * | verdict | |
 * |---|---|
 * | `unknown` | all of them may have been applied |
 * | `throttled` | not applied; the service has too much to do |
 * | `one` | not applied, because of one of them |
 * | `split` | not applied, because of one or more that are not named |
 * | `fatal` | not applied, and no other operation would be |
 * | `failed` | not applied |
 */
type FailureVerdict =
  | { readonly kind: 'unknown' | 'throttled' | 'split' | 'fatal' | 'failed' }
  | { readonly kind: 'one'; readonly index: number }

/** Every other transaction would fail in the same way, as when the account is closed. */
const FATAL: ReadonlySet<unknown> = new Set([
  'TableNotFound',
  'TableBeingDeleted',
  'AccountIsDisabled',
  'AuthenticationFailed',
])

/**
 * Determines the outcome of the operations of a failed transaction.
 *
 * @param error - what sending it threw
 * @param count - how many operations it had
 */
export function judgeFailure(error: unknown, count: number): FailureVerdict {
  const facts: Facts = Object(error)
  if (mayHaveApplied(error)) return { kind: 'unknown' }
  if (isOverloaded(error)) return { kind: 'throttled' }
  if (FATAL.has(facts.code) || facts.status === 401 || facts.failure === 'closed') {
    return { kind: 'fatal' }
  }
  if (!isOfChanges(error, facts)) return { kind: 'failed' }
  if (error instanceof BatchError && error.index !== undefined && error.index < count) {
    return { kind: 'one', index: error.index }
  }
  return count === 1 ? { kind: 'one', index: 0 } : { kind: 'split' }
}

interface Facts {
  readonly status?: unknown
  readonly code?: unknown
  readonly failure?: unknown
}

/** Whether some of the changes are the reason, and not the connection, the service or the time. */
function isOfChanges(error: unknown, { status }: Facts): boolean {
  if (error instanceof BatchError) return true
  if (typeof status === 'number') return status >= 400 && status < 500
  return !(
    error instanceof TransportError ||
    error instanceof BudgetError ||
    error instanceof DeadlineError ||
    error instanceof AbortError
  )
}
