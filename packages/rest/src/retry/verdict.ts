import { DecodeError, isRowkeyError } from '@rowkey/odata'
import { ServiceError } from '../errors/service-error.ts'
import { type ConnectionFailure, TransportError } from '../errors/transport-error.ts'
import type { HttpResponse } from '../http/transport.ts'
import type { AttemptVerdict } from '../observe/call-event.ts'
import { isServerFailure } from '../response/service-error.ts'

/** The part of an outcome that decides what is known after an attempt. */
export interface JudgedOutcome {
  /** The whole response; `undefined` when none came. */
  readonly response: HttpResponse | undefined
  /** The error of a failed attempt; `undefined` when it succeeded. */
  readonly error: unknown
}

const LASTING: ReadonlySet<ConnectionFailure> = new Set(['closed', 'cors', 'tls'])

/**
 * Returns what an attempt has shown about its request.
 *
 * @param outcome - how the attempt ended
 */
export function verdictOf({ error }: JudgedOutcome): AttemptVerdict {
  if (error === undefined) return 'succeeded'
  const isInDoubt = isRowkeyError(error) && error.mayHaveApplied === true
  return isInDoubt ? 'may have applied' : 'not applied'
}

/**
 * Tells whether this kind of failure usually passes.
 *
 * @param outcome - how the attempt ended
 */
export function isTransient({ error, response }: JudgedOutcome): boolean {
  if (error instanceof ServiceError) return isServerFailure(error.status) || error.status === 429
  // A garbled success may be whole the next time; a redirect or an oversized body stays.
  if (error instanceof DecodeError) return response !== undefined && response.status < 300
  return error instanceof TransportError && !isLasting(error)
}

/**
 * Tells whether the service rejected the attempt because the account sends too much (429). It changed
 * nothing then.
 *
 * @param outcome - how the attempt ended
 */
export function isThrottled({ error }: JudgedOutcome): boolean {
  return error instanceof ServiceError && error.status === 429
}

/**
 * A missing token, an invalid certificate, a missing CORS rule and a closed transport stay as
 * they are.
 */
function isLasting({ code, failure }: TransportError): boolean {
  return code === 'CredentialUnavailable' || (failure !== undefined && LASTING.has(failure))
}
