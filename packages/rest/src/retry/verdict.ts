import { DecodeError } from '@rowkey/odata'
import {
  EntityAlreadyExistsError,
  EntityNotFoundError,
  ETagMismatchError,
  ServiceError,
} from '../errors/service-error.ts'
import { type ConnectionFailure, TransportError } from '../errors/transport-error.ts'
import type { HttpResponse } from '../http/transport.ts'
import type { AttemptVerdict } from '../observe/call-event.ts'
import { errorClassOf, isServerFailure } from '../response/service-error.ts'

/** The part of an outcome that decides what is known after an attempt. */
export interface JudgedOutcome {
  /** The whole response; `undefined` when none came. */
  readonly response: HttpResponse | undefined
  /** The error of a failed attempt; `undefined` when it succeeded. */
  readonly error: unknown
}

const LASTING: ReadonlySet<ConnectionFailure> = new Set(['closed', 'cors', 'proxy', 'tls'])

/**
 * Returns what an attempt has shown about its request.
 *
 * @param outcome - how the attempt ended
 */
export function verdictOf({ error }: JudgedOutcome): AttemptVerdict {
  if (error === undefined) return 'succeeded'
  return mayHaveApplied(error) ? 'may have applied' : 'not applied'
}

/**
 * Tells whether this kind of failure usually passes.
 *
 * @param outcome - how the attempt ended
 */
export function isTransient({ error, response }: JudgedOutcome): boolean {
  if (error instanceof ServiceError) return isServerFailure(error.status) || isThrottled(error)
  // A garbled success may be whole the next time; a redirect or an oversized body stays.
  if (error instanceof DecodeError) return response !== undefined && response.status < 300
  return error instanceof TransportError && !isLasting(error)
}

/**
 * Tells whether the service rejected an attempt because the account sends too much (429). It changed nothing then.
 *
 * @param failure - an error, or a failed attempt
 */
export function isThrottled(failure: unknown): boolean {
  return Object(failure).status === 429
}

const OVERLOADED: ReadonlySet<unknown> = new Set([
  'ServerBusy',
  'TooManyRequests',
  'OperationTimedOut',
  'AttemptTimeout',
])

/**
 * Tells whether a failure shows that the service has too much to do, so that fewer requests at once are better: 429, 503, or a
 * timeout. The attempt may have been applied.
 *
 * @param failure - an error, or a failed attempt
 */
export function isOverloaded(failure: unknown): boolean {
  const { status, code }: { readonly status?: unknown; readonly code?: unknown } = Object(failure)
  return isThrottled(failure) || status === 503 || OVERLOADED.has(code)
}

/**
 * Tells whether what failed may have been applied despite its error. Every error of Rowkey says so itself.
 *
 * @param error - any error
 */
export function mayHaveApplied(error: unknown): boolean {
  return Object(error).mayHaveApplied === true
}

/** Tells whether a write was rejected before it was sent, for a reason that the stored row does not show. */
export function isUnsent(error: unknown): boolean {
  return Object(error).attempts === 0
}

/** What a write found in place of the row that it expects: another version, a row, or none. */
export type Conflict = 'changed' | 'exists' | 'missing'

/**
 * Tells which conflict rejected a write: another program changed, stored or deleted a row that it depends on. `undefined` for any other
 * error, and for a write that may have been applied.
 *
 * @param error - any error, also that of one change of a batch
 */
export function conflictOf(error: unknown): Conflict | undefined {
  const { status, code }: Partial<ServiceError> = Object(error)
  if (typeof status !== 'number' || mayHaveApplied(error)) return undefined
  switch (errorClassOf(status, String(code))) {
    case ETagMismatchError:
      return 'changed'
    case EntityAlreadyExistsError:
      return 'exists'
    case EntityNotFoundError:
      return 'missing'
    default:
      return undefined
  }
}

/**
 * A missing token, an invalid certificate, a missing CORS rule, a proxy that rejects the host and a closed transport stay
 * as they are.
 */
function isLasting({ code, failure }: TransportError): boolean {
  return code === 'CredentialUnavailable' || (failure !== undefined && LASTING.has(failure))
}
