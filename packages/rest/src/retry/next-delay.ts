import { DecodeError } from '@rowkey/odata'
import { BatchError } from '../errors/batch-error.ts'
import { ServiceError } from '../errors/service-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import { isRead } from '../http/transport.ts'
import { readRetryAfter } from '../response/response-headers.ts'
import type { CallProgress } from './call-progress.ts'
import { isRemedied } from './remedies.ts'
import { checkDelay } from './retry-policies.ts'
import type { AttemptOutcome, Call } from './types.ts'
import { isThrottled, isTransient, verdictOf } from './verdict.ts'

/**
 * Decides whether to retry a failed attempt, and when.
 *
 * @param call - the call
 * @param progress - its state, with this attempt
 * @param outcome - how the attempt ended
 * @returns milliseconds until the next attempt; `undefined` to give up
 */
export async function nextDelay(
  call: Call,
  progress: CallProgress,
  outcome: AttemptOutcome,
): Promise<number | undefined> {
  if (await isRemedied(call, progress, outcome)) return 0
  const { defaults } = call.service
  const { itinerary } = progress
  const lags = itinerary.mayLag && outcome.response?.status === 404
  const delay = policyDelay(call, progress, outcome, lags)
  itinerary.moveOn(outcome.response, defaults.steadyNow())
  // The first try at a location does not wait: the trouble of the other location does not concern it.
  if (itinerary.isNew && (lags || delay !== undefined)) return 0
  if (delay === undefined) return undefined
  // A throttled attempt did nothing, and the waits already bound how much load the retries make.
  if (!isThrottled(outcome) && defaults.retryBudget?.spend() === false) return undefined
  return itinerary.waitFor(delay, defaults.steadyNow())
}

function policyDelay(
  call: Call,
  progress: CallProgress,
  outcome: AttemptOutcome,
  lags: boolean,
): number | undefined {
  const { attempt, response, error } = outcome
  const { defaults } = call.service
  const mayHaveApplied = verdictOf(outcome) === 'may have applied'
  const isRepeatable = isRead(attempt.request) || call.operation.reconcile !== undefined
  if (!isAttemptError(error) || (mayHaveApplied && !isRepeatable)) return undefined
  const settling = defaults.ownTables.isSettling(call, error, defaults.now())
  const delay = progress.policy.delayAfter({
    number: attempt.number,
    status: error instanceof ServiceError ? error.status : response?.status,
    code: error.code,
    transient: lags || settling || isTransient(outcome),
    mayHaveApplied,
    location: attempt.location,
    retryAfter: retryAfterOf(outcome, defaults.now()),
    random: defaults.random,
  })
  return checkDelay(delay)
}

/** Errors of sending may pass; any other error arises before sending and stays. */
function isAttemptError(error: unknown): error is DecodeError | ServiceError | TransportError {
  if (error instanceof TransportError) return error.code !== 'CredentialUnavailable'
  return error instanceof ServiceError || error instanceof DecodeError
}

/** A batch that was throttled may say in its failed part how long to wait. */
function retryAfterOf({ error, response }: AttemptOutcome, now: number): number | undefined {
  const ofPart = error instanceof BatchError ? error.retryAfter : undefined
  return ofPart ?? (response && readRetryAfter(response.headers, now))
}
