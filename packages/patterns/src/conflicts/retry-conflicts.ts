import {
  AbortError,
  AmbiguousWriteError,
  BudgetError,
  type CallOptions,
  callOf,
  conflictOf,
  DeadlineError,
  inDoubt,
  isUnsent,
  mayHaveApplied,
  type RetryPolicy,
  type TableService,
  TransportError,
} from '@rowkey/rest'

/** How often a write starts again by default, when other programs change what it depends on. */
const MAX_ATTEMPTS = 10
/** Milliseconds after which a write without a response no longer arrives. */
const WRITE_TIMEOUT = 10_000

/**
 * Runs a read followed by a conditional write, and runs both again when another program was in between. It waits up
 * to 50 ms before the second attempt, then up to twice as long each time, and at most 2 s. The attempts are one call, so
 * that closing the account with `drain` waits for the last.
 *
 * @param service - the account
 * @param attempt - reads, and writes on condition of what it read. It learns whether a write of an earlier attempt may have been applied
 * @param options - the options of the call; its deadline covers all attempts
 * @param isRepeated - tells which errors another attempt may follow
 * @throws the last error after 10 attempts, and any other error at once
 * @throws DeadlineError when the next wait would pass the deadline; it does not wait then
 */
export async function retryConflicts<Result>(
  service: TableService,
  attempt: (options: CallOptions, isInDoubt: boolean) => Promise<Result>,
  options: CallOptions,
  isRepeated: (error: unknown) => boolean = isConflict,
): Promise<Result> {
  return service.call(options, 'a write of a pattern', async (call) => {
    let [isInDoubt, isUncertain] = [false, false]
    for (let count = 1; ; count++) {
      try {
        return await attempt(call.options, isInDoubt)
      } catch (error) {
        isInDoubt ||= isAmbiguous(error)
        isUncertain ||= mayHaveApplied(error)
        if (!isRepeated(error) || count === MAX_ATTEMPTS) {
          throw isUncertain ? inDoubt(error) : error
        }
        if (!(await call.again(count))) throw tooLate(count, isUncertain, error)
      }
    }
  })
}

function tooLate(attempts: number, isUncertain: boolean, cause: unknown): DeadlineError {
  const message = `The write was not made within its deadline: other programs changed what it depends on in each of ${attempts} attempts.`
  return new DeadlineError({ message, mayHaveApplied: isUncertain, attempts, cause })
}

/** Tells whether another program stored, changed or deleted a row that a write depends on, so that it may be made again. */
export function isConflict(error: unknown): boolean {
  return conflictOf(error) !== undefined && !isUnsent(error)
}

/** Tells whether a write may have been applied, and may still arrive. */
export function isAmbiguous(error: unknown): error is AmbiguousWriteError {
  return error instanceof AmbiguousWriteError
}

/** Tells whether what is stored must be read again: another program was faster, or may have been. */
export function isUnsettled(error: unknown): boolean {
  return isConflict(error) || isAmbiguous(error)
}

/**
 * Sends a write without a condition. If its response is lost, waits until the request can no longer arrive, and only then lets the caller try
 * again: two copies in flight could undo each other's effect. An exact write cannot be applied late, so it is repeated at once.
 *
 * @param service - the account
 * @param send - sends the write
 * @param options - the options of the call
 * @param writeTimeout - milliseconds after which the request no longer arrives
 * @throws AmbiguousWriteError after the wait; then what is stored must be read again
 */
export async function sendOnce<Result>(
  service: TableService,
  send: (options: CallOptions) => Promise<Result>,
  options: CallOptions,
  writeTimeout: number = WRITE_TIMEOUT,
): Promise<Result> {
  const { retry = service.retry, exactWrites = service.exactWrites } = options
  try {
    return await send({ ...options, retry: exactWrites ? retry : unlessInDoubt(retry) })
  } catch (error) {
    if (isAmbiguous(error)) await waitWithin(service, writeTimeout, options)
    throw error
  }
}

/** Waits, but not beyond the deadline of a call: its next request then says that it is over. */
export async function waitWithin(
  service: TableService,
  ms: number,
  options: CallOptions,
): Promise<void> {
  await callOf(service, options, 'a wait of a pattern').wait(ms)
}

function unlessInDoubt(policy: RetryPolicy): RetryPolicy {
  return {
    delayAfter: (failed) => (failed.mayHaveApplied ? undefined : policy.delayAfter(failed)),
    forCall: (operation) => unlessInDoubt(policy.forCall?.(operation) ?? policy),
  }
}

/**
 * Returns the error of a write that was not sent, because a request that it waits for failed. It does not pass on the doubt about
 * that request.
 */
export function notSent(error: unknown, reason: string): unknown {
  if (!mayHaveApplied(error)) return error
  const doubt = { mayHaveApplied: false }
  if (error instanceof AbortError) return new AbortError({ reason: error.cause, ...doubt })
  const message = `The write was not sent, because ${reason}.`
  if (error instanceof BudgetError) {
    const { requests } = error
    return new BudgetError({ message, ...doubt, attempts: 0, requests, cause: error })
  }
  return error instanceof DeadlineError
    ? new DeadlineError({ message, ...doubt, attempts: 0, cause: error })
    : new TransportError({ message, ...doubt, cause: error })
}
