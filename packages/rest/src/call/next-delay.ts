import { DecodeError } from '@rowkey/odata'
import { AbortError } from '../errors/abort-error.ts'
import { BatchError } from '../errors/batch-error.ts'
import { ServiceError } from '../errors/service-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import { isRead } from '../http/transport.ts'
import { readRetryAfter } from '../response/response-headers.ts'
import { checkDelay, type FailedAttempt } from '../retry/retry-policies.ts'
import { isThrottled, isTransient, verdictOf } from '../retry/verdict.ts'
import type { Attempt, Attempts } from './attempts.ts'
import { finalError } from './doubt.ts'
import { isRemedied } from './remedies.ts'

/**
 * Returns the wait before the next attempt; `undefined` when the call makes no further attempt.
 *
 * @param made - the attempts, with this one
 * @param attempt - the attempt, which failed
 * @throws DeadlineError when the deadline has passed, or would pass during the wait; BudgetError when no request is left for it
 */
export async function delayAfter(made: Attempts, attempt: Attempt): Promise<number | undefined> {
  const { error } = attempt
  if (isTransient(attempt) && made.isOverAfter(0)) throw made.deadlineError(error)
  let delay: number | undefined
  try {
    if (!(error instanceof AbortError)) delay = await nextDelay(made, attempt)
  } catch (thrown) {
    // A caller's policy or credential that throws ends the call, but settles no doubt.
    throw finalError(made, thrown)
  }
  if (delay === undefined) return undefined
  if (made.isOverAfter(delay)) throw made.deadlineError(error)
  made.checkBudget(error)
  return delay
}

/**
 * Decides whether to retry a failed attempt, and when.
 *
 * @param made - the attempts, with this one
 * @param attempt - the attempt
 * @returns milliseconds until the next attempt; `undefined` to give up
 */
export async function nextDelay(made: Attempts, attempt: Attempt): Promise<number | undefined> {
  if (await isRemedied(made, attempt)) return 0
  const { itinerary } = made
  const { steadyNow, retryBudget } = made.call.service
  const lags = itinerary.mayLag && attempt.response?.status === 404
  const delay = policyDelay(made, attempt, lags)
  itinerary.moveOn(attempt.response, steadyNow())
  // The first try at a location does not wait: the trouble of the other location does not concern it.
  if (itinerary.isNew && (lags || delay !== undefined)) return 0
  if (delay === undefined) return undefined
  // A throttled attempt did nothing, and the waits already bound how much load the retries make.
  if (!isThrottled(attempt.error) && retryBudget?.spend() === false) return undefined
  return itinerary.waitFor(delay, steadyNow())
}

function policyDelay(made: Attempts, attempt: Attempt, lags: boolean): number | undefined {
  const { response, error } = attempt
  const { call, operation, policy } = made
  const { now, random, ownTables } = call.service
  const mayHaveApplied = verdictOf(attempt) === 'may have applied'
  const isRepeatable = isRead(attempt.request) || operation.reconcile !== undefined
  if (!isAttemptError(error) || (mayHaveApplied && !isRepeatable)) return undefined
  const settling = ownTables.isSettling(made, error, now())
  const failed: FailedAttempt = {
    number: attempt.number,
    status: error instanceof ServiceError ? error.status : response?.status,
    code: error.code,
    transient: lags || settling || isTransient(attempt),
    mayHaveApplied,
    location: attempt.location,
    retryAfter: retryAfterOf(attempt, now()),
    random,
  }
  const delay = policy.delayAfter(failed)
  call.onFailed?.(failed, delay)
  return checkDelay(delay)
}

/** Errors of sending may pass; any other error arises before sending and stays. */
function isAttemptError(error: unknown): error is DecodeError | ServiceError | TransportError {
  if (error instanceof TransportError) return error.code !== 'CredentialUnavailable'
  return error instanceof ServiceError || error instanceof DecodeError
}

/** A batch that was throttled may say in its failed part how long to wait. */
function retryAfterOf({ error, response }: Attempt, now: number): number | undefined {
  const ofPart = error instanceof BatchError ? error.retryAfter : undefined
  return ofPart ?? (response && readRetryAfter(response.headers, now))
}
