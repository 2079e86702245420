import { checkWholeNumber } from './check-whole-number.ts'
import { OptionValueError } from './errors/option-value-error.ts'
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
   * Whether and when to try again.
   *
   * @defaultValue `exponentialRetry()`
   */
  readonly retry?: RetryPolicy | undefined
  /** Records every attempt of the call. */
  readonly context?: OperationContext | undefined
}

/** The names of {@link CallOptions}, for {@link checkOptions}. */
export const CALL_OPTION_NAMES: readonly string[] = ['context', 'retry', 'signal', 'timeout']

/**
 * Refuses values that {@link CallOptions} cannot have.
 *
 * @param options - the options of a call, or of a service that has the same
 * @param where - the function or operation, for the message
 * @throws {@link OptionValueError}
 */
export function checkCallValues(options: CallOptions, where: string): void {
  const { timeout, retry, signal } = options
  if (timeout !== undefined) checkWholeNumber(timeout, 'timeout', where)
  if (retry !== undefined && typeof retry?.delayAfter !== 'function') {
    throw new OptionValueError({
      message: `retry of ${where} must be a RetryPolicy, such as exponentialRetry() or noRetry.`,
    })
  }
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    throw new OptionValueError({ message: `signal of ${where} must be an AbortSignal.` })
  }
}
