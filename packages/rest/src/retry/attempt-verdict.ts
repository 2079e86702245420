import { ConnectionError } from '../errors/connection-error.ts'
import { ServiceError } from '../errors/service-error.ts'
import type { TransportError } from '../errors/transport-error.ts'

/** Answers that may well be different the next time. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/**
 * Whether a failed attempt can be repeated without harm: nothing was applied.
 *
 * A write whose outcome is unknown is not repeated, since the repetition could apply it twice, or
 * fail because the first one had succeeded.
 *
 * @param error - what the attempt ended with
 */
export function isRepeatable(error: ServiceError | TransportError): boolean {
  return !error.mayHaveApplied
}

/**
 * Whether a failure is of a kind that passes by itself.
 *
 * @param error - what the attempt ended with
 */
export function isTransient(error: ServiceError | TransportError): boolean {
  if (error instanceof ServiceError) return TRANSIENT_STATUSES.has(error.status)
  return !(error instanceof ConnectionError && isLasting(error))
}

/** A wrong certificate and a closed transport are so the next time, too. */
function isLasting(error: ConnectionError): boolean {
  return error.failure === 'tls' || error.failure === 'closed'
}
