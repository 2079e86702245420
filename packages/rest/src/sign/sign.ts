import type { Endpoint } from '../endpoint.ts'
import type { HttpRequest } from '../http/http-request.ts'
import type { AttemptLimits } from '../http/transport.ts'
import type { Credential } from './credential.ts'
import { withinLimits } from './within-limits.ts'

/** The part of an attempt that a signature depends on. */
export interface UnsignedAttempt {
  readonly request: HttpRequest
  readonly endpoint: Endpoint
  /** The date to sign: milliseconds since 1970, UTC. */
  readonly date: number
  /** Bounds the wait for a credential that fetches something first. */
  readonly limits: AttemptLimits
}

/**
 * Dates and signs the request of an attempt.
 *
 * @param credential - proves who is asking
 * @param attempt - the request, its account and its date
 * @throws {@link AbortError} or {@link AttemptTimeoutError} when the credential takes too long, and
 * whatever the credential throws
 */
export function sign(
  credential: Credential,
  { request, endpoint, date, limits }: UnsignedAttempt,
): HttpRequest | Promise<HttpRequest> {
  const signed = credential.authorize(request, endpoint, date)
  if (!(signed instanceof Promise)) return signed
  return withinLimits(signed, limits, () => credential.abandoned?.(endpoint, date))
}
