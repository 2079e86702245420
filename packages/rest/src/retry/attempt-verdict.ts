import { DecodeError } from '@rowkey/odata'
import { ConnectionError } from '../errors/connection-error.ts'
import { ServiceError } from '../errors/service-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import type { HttpResponse } from '../http/http-response.ts'

/**
 * What is known after one attempt: the service did what was asked (`'answered'`), certainly did not,
 * or may have.
 *
 * Certainly not: nothing was sent, or a whole answer of the service says why it refused, a 429 and
 * its own `ServerBusy` included. Maybe: no whole answer, or one of 408, 500, 502, 504, and 503 of
 * some machine in between. A read is never applied.
 */
export type AttemptVerdict = 'answered' | 'may have applied' | 'not applied'

/** What a verdict is found from. */
export interface JudgedAttempt {
  /** The whole answer; `undefined` when none came. */
  readonly response: HttpResponse | undefined
  /** What the attempt failed with; `undefined` when it did not. */
  readonly error: unknown
}

/** Answers that may well be different the next time. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/**
 * What is known after an attempt.
 *
 * @param attempt - how it ended
 */
export function attemptVerdict({ error }: JudgedAttempt): AttemptVerdict {
  if (error === undefined) return 'answered'
  return mayHaveApplied(error) ? 'may have applied' : 'not applied'
}

/**
 * Whether a failure is of a kind that passes by itself.
 *
 * @param attempt - how the attempt ended
 */
export function isTransient({ error, response }: JudgedAttempt): boolean {
  if (error instanceof ServiceError) return TRANSIENT_STATUSES.has(error.status)
  // A garbled answer of 2xx; one that is a redirect, or too long to be held, comes again.
  if (error instanceof DecodeError) return response !== undefined && response.status < 300
  return error instanceof TransportError && !isLasting(error)
}

/** Every error of this package that can come after something was sent says it. */
function mayHaveApplied(error: unknown): boolean {
  const { mayHaveApplied } = Object(error) as { mayHaveApplied?: unknown }
  return mayHaveApplied === true
}

/** A wrong certificate and a closed transport are so the next time, too. */
function isLasting(error: TransportError): boolean {
  if (!(error instanceof ConnectionError)) return false
  return error.failure === 'tls' || error.failure === 'closed'
}
