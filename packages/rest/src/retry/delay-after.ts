import { DecodeError } from '@rowkey/odata'
import { AttemptTimeoutError } from '../errors/attempt-timeout-error.ts'
import { AuthenticationError } from '../errors/authentication-error.ts'
import { ServiceError } from '../errors/service-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import { isRead } from '../http/http-request.ts'
import type { HttpResponse } from '../http/http-response.ts'
import type { AttemptSettings } from './attempt-settings.ts'
import { attemptVerdict, isTransient } from './attempt-verdict.ts'
import type { AttemptedCall } from './attempted-call.ts'
import type { AttemptOutcome, AttemptPlan } from './begun-attempt.ts'
import type { CallProgress } from './call-progress.ts'
import { readRetryAfter } from './retry-after.ts'
import { checkDelay } from './retry-policy.ts'
import { withinLimits } from './within-limits.ts'

/** What is known when an attempt has failed. */
export interface AttemptFailure {
  readonly settings: AttemptSettings
  readonly call: AttemptedCall
  readonly progress: CallProgress
  readonly plan: AttemptPlan
  readonly outcome: AttemptOutcome<unknown>
}

/**
 * Whether a failed attempt is followed by another, and when.
 *
 * @param failure - what is known
 * @returns milliseconds until the next attempt; `undefined` to give up
 */
export async function delayAfter(failure: AttemptFailure): Promise<number | undefined> {
  const { settings, progress, outcome } = failure
  if (await isMended(failure)) return 0
  const { itinerary } = progress
  const lags = itinerary.mayLag && outcome.response?.status === 404
  const delay = policyDelay(failure, lags)
  itinerary.moveOn(outcome.response, settings.now())
  // A location that was not asked yet costs nothing: it has no part in what the other suffers.
  if (itinerary.isNew && (lags || delay !== undefined)) return 0
  if (delay === undefined || settings.retryBudget?.spend() === false) return undefined
  return itinerary.waitFor(delay, settings.now())
}

/** Whether the reason of the failure was found and removed, which is tried once for each reason. */
async function isMended(failure: AttemptFailure): Promise<boolean> {
  const { settings, progress, outcome } = failure
  const { response, error, signedAt } = outcome
  if (response === undefined || !(error instanceof AuthenticationError)) return false
  if (response.status === 401 && !progress.challenged) {
    progress.challenged = true
    return isChallengeMet(failure, response)
  }
  if (error.code !== 'AuthenticationFailed' || signedAt === undefined) return false
  if (progress.compared) return false
  progress.compared = true
  return settings.skew.learn(response, signedAt, settings.now())
}

/** Asks the credential, for no longer than an attempt and the call may take. */
async function isChallengeMet(failure: AttemptFailure, response: HttpResponse): Promise<boolean> {
  const { settings, call, progress, outcome } = failure
  const left = progress.leftAt(settings.now())
  const { signal, timeout = settings.timeout } = call.options
  const limits = { signal, timeout: Math.max(0, Math.min(timeout, left)) }
  const { credential } = call
  const answer = credential.challenged?.(response, settings.endpoint, outcome.sent) ?? false
  try {
    return await withinLimits(Promise.resolve(answer), limits)
  } catch (error) {
    if (!(error instanceof AttemptTimeoutError)) throw error
    if (left <= timeout) throw progress.deadlineError(outcome.error)
    return false
  }
}

function policyDelay(failure: AttemptFailure, lags: boolean): number | undefined {
  const { settings, call, progress, plan, outcome } = failure
  const { response, error } = outcome
  const mayHaveApplied = attemptVerdict(outcome) === 'may have applied'
  const isRepeatable = isRead(call.request) || call.operation.reconcile !== undefined
  if (!isOfAttempt(error) || (mayHaveApplied && !isRepeatable)) return undefined
  const settling = settings.ownTables.isSettling(call, error, settings.now())
  const delay = progress.policy.delayAfter({
    number: plan.number,
    status: response?.status,
    code: error.code,
    transient: lags || settling || isTransient(outcome),
    mayHaveApplied,
    location: plan.location,
    retryAfter: response && readRetryAfter(response.headers, settings.now()),
    random: settings.random,
  })
  return checkDelay(delay)
}

/** What comes of sending; anything else is wrong before it and stays so. */
function isOfAttempt(error: unknown): error is DecodeError | ServiceError | TransportError {
  if (error instanceof ServiceError || error instanceof TransportError) return true
  return error instanceof DecodeError
}
