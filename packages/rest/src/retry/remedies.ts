import { AuthenticationError } from '../errors/service-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import { type HttpResponse, withBody } from '../http/transport.ts'
import { withinLimits } from '../sign/within-limits.ts'
import type { CallProgress } from './call-progress.ts'
import type { AttemptOutcome, Call } from './types.ts'

/**
 * Tells whether the cause of a rejected credential was found and removed: another token was requested, or the clock
 * corrected. Each is tried once in a call.
 *
 * @param call - the call
 * @param progress - its state, with this attempt
 * @param outcome - how the attempt ended
 */
export async function isRemedied(
  call: Call,
  progress: CallProgress,
  outcome: AttemptOutcome,
): Promise<boolean> {
  const { attempt, response, error } = outcome
  if (response === undefined || !(error instanceof AuthenticationError)) return false
  if (response.status === 401 && !progress.challenged) {
    progress.challenged = true
    return isChallengeMet(call, progress, outcome, response)
  }
  const isDated = attempt.sent?.headers['x-ms-date'] !== undefined
  if (error.code !== 'AuthenticationFailed' || !isDated || progress.compared) return false
  progress.compared = true
  const { defaults } = call.service
  return defaults.skew.learn(response, attempt.date, defaults.now())
}

/** Lets the credential react, for no longer than an attempt and the call may take. */
async function isChallengeMet(
  { service, operation, input, options }: Call,
  progress: CallProgress,
  { attempt, error }: AttemptOutcome,
  response: HttpResponse,
): Promise<boolean> {
  const { credential, endpoint, defaults } = service
  const left = progress.leftAt(defaults.now())
  const { signal, timeout = defaults.timeout } = options
  const { closing } = defaults
  const limits = { signal, timeout: Math.max(0, Math.min(timeout, left)), closing }
  const rejected = attempt.sent && withBody(attempt.sent, operation.toRequest(input, endpoint).body)
  const met = credential.challenged?.(response, endpoint, rejected) ?? false
  try {
    return await withinLimits(Promise.resolve(met), limits)
  } catch (failure) {
    if (!isTimeout(failure)) throw failure
    if (left <= timeout) throw progress.deadlineError(error)
    return false
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof TransportError && error.code === 'AttemptTimeout'
}
