import { checkWholeNumber } from './check-whole-number.ts'
import { OptionValueError } from './errors/option-value-error.ts'
import type { Deadline } from './retry/deadline.ts'
import type { LocationMode } from './retry/location-mode.ts'
import type { OperationContext } from './retry/operation-context.ts'
import type { RetryPolicy } from './retry/retry-policy.ts'

/** What every call takes. What is left out comes from the service's own options. */
export interface CallOptions {
  /** Ends the call, also while it waits to try again; it then rejects with an AbortError. */
  readonly signal?: AbortSignal | undefined
  /**
   * Milliseconds for one attempt, from its start to the last byte of the answer.
   *
   * @defaultValue `30_000`, as long as the service itself works on a request
   */
  readonly timeout?: number | undefined
  /**
   * Milliseconds for the whole call: all attempts, the waits between them, and the reads that settle
   * a doubt. The pages of one run of a query share it, as do several calls that are given one
   * `Deadline`. A wait that would go past it is not begun.
   *
   * @defaultValue none
   */
  readonly deadline?: number | Deadline | undefined
  /**
   * Where reads go; every mode but `'primaryOnly'` needs an endpoint with a secondary. Writes only
   * ever go to the primary.
   *
   * @defaultValue `'primaryOnly'`
   */
  readonly locationMode?: LocationMode | undefined
  /**
   * Whether and when to try again.
   *
   * @defaultValue `exponentialRetry()`
   */
  readonly retry?: RetryPolicy | undefined
  /** Records every attempt of the call. */
  readonly context?: OperationContext | undefined
}

/** The names of {@link CallOptions}, for {@link checkOptions}. */
export const CALL_OPTION_NAMES: readonly string[] = [
  'context',
  'deadline',
  'locationMode',
  'retry',
  'signal',
  'timeout',
]

/**
 * Refuses values that {@link CallOptions} cannot have.
 *
 * @param options - the options of a call, or of a service that has the same
 * @param where - the function or operation, for the message
 * @throws {@link OptionValueError}
 */
export function checkCallValues(options: CallOptions, where: string): void {
  const { timeout, deadline, retry, signal } = options
  if (timeout !== undefined) checkWholeNumber(timeout, 'timeout', where)
  if (deadline !== undefined) checkDeadline(deadline, where)
  if (retry !== undefined && typeof retry?.delayAfter !== 'function') {
    throw new OptionValueError({
      message: `retry of ${where} must be a RetryPolicy, such as exponentialRetry() or noRetry.`,
    })
  }
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    throw new OptionValueError({ message: `signal of ${where} must be an AbortSignal.` })
  }
}

/** A moment that several calls share may be past; then the call says so itself. */
function checkDeadline(deadline: unknown, where: string): void {
  const { endsAt } = Object(deadline) as Partial<Deadline>
  if (typeof endsAt !== 'number') checkWholeNumber(deadline, 'deadline', where)
}
