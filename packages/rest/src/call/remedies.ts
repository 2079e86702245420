import { AuthenticationError } from '../errors/service-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import { type HttpResponse, withBody } from '../http/transport.ts'
import { withinLimits } from '../sign/within-limits.ts'
import type { Attempt, Attempts } from './attempts.ts'

/**
 * Tells whether the cause of a rejected credential was found and removed: another token was requested, or the clock
 * corrected. Each is tried once in a call.
 *
 * @param made - the attempts, with this one
 * @param attempt - the attempt
 */
export async function isRemedied(made: Attempts, attempt: Attempt): Promise<boolean> {
  const { response, error } = attempt
  if (response === undefined || !(error instanceof AuthenticationError)) return false
  if (response.status === 401 && !made.challenged) {
    made.challenged = true
    return isChallengeMet(made, attempt, response)
  }
  const isDated = attempt.sent?.headers['x-ms-date'] !== undefined
  if (error.code !== 'AuthenticationFailed' || !isDated || made.compared) return false
  made.compared = true
  const { skew, now } = made.call.service
  return skew.learn(response, attempt.date, now())
}

/** Lets the credential react, for no longer than an attempt and the call may take. */
async function isChallengeMet(
  made: Attempts,
  { sent, error }: Attempt,
  response: HttpResponse,
): Promise<boolean> {
  const { call, operation, input } = made
  const { credential, endpoint, closing, timeout: usual } = call.service
  const { left, signal } = call
  const { timeout = usual } = call.given
  const limits = { signal, timeout: Math.max(0, Math.min(timeout, left)), closing }
  const rejected = sent && withBody(sent, operation.toRequest(input, endpoint).body)
  const met = credential.challenged?.(response, endpoint, rejected) ?? false
  try {
    return await withinLimits(Promise.resolve(met), limits)
  } catch (failure) {
    if (!isTimeout(failure)) throw failure
    if (left <= timeout) throw made.deadlineError(error)
    return false
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof TransportError && error.code === 'AttemptTimeout'
}
