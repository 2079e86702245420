import { DecodeError } from '@rowkey/odata'
import { BatchError } from '../errors/batch-error.ts'
import { AuthenticationError, ServiceError } from '../errors/service-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import { type HttpResponse, isRead } from '../http/transport.ts'
import { readRetryAfter } from '../response/retry-after.ts'
import { withinLimits } from '../sign/sign.ts'
import type { CallProgress } from './call-progress.ts'
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
  outcome: AttemptOutcome<unknown>,
): Promise<number | undefined> {
  if (await isRemedied(call, progress, outcome)) return 0
  const { defaults } = call.service
  const { itinerary } = progress
  const lags = itinerary.mayLag && outcome.response?.status === 404
  const delay = policyDelay(call, progress, outcome, lags)
  itinerary.moveOn(outcome.response, defaults.now())
  // The first try at a location does not wait: what the other one suffers is not its problem.
  if (itinerary.isNew && (lags || delay !== undefined)) return 0
  if (delay === undefined) return undefined
  // A throttled attempt did nothing, and the waits already bound how much load the retries make.
  if (!isThrottled(outcome) && defaults.retryBudget?.spend() === false) return undefined
  return itinerary.waitFor(delay, defaults.now())
}

/** Tells whether the cause of the failure was found and removed; tried once for each cause. */
async function isRemedied(
  call: Call,
  progress: CallProgress,
  outcome: AttemptOutcome<unknown>,
): Promise<boolean> {
  const { attempt, response, sent, error } = outcome
  if (response === undefined || !(error instanceof AuthenticationError)) return false
  if (response.status === 401 && !progress.challenged) {
    progress.challenged = true
    return isChallengeMet(call, progress, outcome, response)
  }
  const isDated = sent?.headers['x-ms-date'] !== undefined
  if (error.code !== 'AuthenticationFailed' || !isDated || progress.compared) return false
  progress.compared = true
  const { defaults } = call.service
  return defaults.skew.learn(response, attempt.date, defaults.now())
}

/** Lets the credential react, for no longer than an attempt and the call may take. */
async function isChallengeMet(
  { service, options }: Call,
  progress: CallProgress,
  { sent, error }: AttemptOutcome<unknown>,
  response: HttpResponse,
): Promise<boolean> {
  const { credential, endpoint, defaults } = service
  const left = progress.leftAt(defaults.now())
  const { signal, timeout = defaults.timeout } = options
  const limits = { signal, timeout: Math.max(0, Math.min(timeout, left)) }
  const met = credential.challenged?.(response, endpoint, sent) ?? false
  try {
    return await withinLimits(Promise.resolve(met), limits)
  } catch (failure) {
    if (!isTimeout(failure)) throw failure
    if (left <= timeout) throw progress.deadlineError(error)
    return false
  }
}

function policyDelay(
  call: Call,
  progress: CallProgress,
  outcome: AttemptOutcome<unknown>,
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

function isTimeout(error: unknown): boolean {
  return error instanceof TransportError && error.code === 'AttemptTimeout'
}

/** A batch that was throttled may say in its failed part how long to wait. */
function retryAfterOf(
  { error, response }: AttemptOutcome<unknown>,
  now: number,
): number | undefined {
  const ofPart = error instanceof BatchError ? error.retryAfter : undefined
  return ofPart ?? (response && readRetryAfter(response.headers, now))
}
