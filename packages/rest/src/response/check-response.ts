import { DecodeError } from '@rowkey/odata'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { type HttpRequest, type HttpResponse, isRead } from '../http/transport.ts'
import type { OperationTraits } from '../request/operation.ts'
import { isRejection, readErrorBody, serviceErrorOf } from './service-error.ts'

/** The part of an attempt that its response is checked against. */
export interface SentAttempt {
  readonly request: HttpRequest
  readonly endpoint: Endpoint
  /** Whether an error that the operation expects counts as an error too. */
  readonly strict: boolean
  /** Returns milliseconds since 1970, UTC, on this machine. */
  readonly now: () => number
}

/**
 * Throws unless the operation can read the response: a success that the service sends for this
 * operation, or an error that the operation expects.
 *
 * @param operation - the operation
 * @param response - the response
 * @param attempt - the attempt that it belongs to
 * @throws {@link ServiceError} for an error of the service
 * @throws {@link DecodeError} for a redirect, and for a success that cannot be the service's
 */
export function checkResponse(
  operation: OperationTraits,
  response: HttpResponse,
  attempt: SentAttempt,
): Promise<void> | undefined {
  if (response.status >= 400) return checkError(operation, response, attempt)
  if (response.status >= 300) throw redirectError(operation, response, attempt)
  checkSuccess(operation, response, attempt)
  return undefined
}

/** Waits, because an error in XML loads the parser first. */
async function checkError(
  operation: OperationTraits,
  response: HttpResponse,
  attempt: SentAttempt,
): Promise<void> {
  const body = await readErrorBody(response)
  if (!attempt.strict && operation.expects?.includes(body.code)) return
  const advice = isRejection(response.status)
    ? await adviceOn(body.code, response, attempt)
    : undefined
  throw serviceErrorOf(operation, response, body, { ...attempt, advice })
}

/** Few programs need the advice, so it is loaded. Where that fails, the error has all facts but no advice. */
async function adviceOn(
  code: string,
  response: HttpResponse,
  attempt: SentAttempt,
): Promise<string | undefined> {
  const loaded = await import('./authentication-advice.ts').catch(() => undefined)
  return loaded?.authenticationAdvice(code, response, attempt)
}

function redirectError(
  { name }: OperationTraits,
  { status }: HttpResponse,
  { request }: SentAttempt,
): DecodeError {
  return new DecodeError({
    message: `${name}: ${request.origin} returned ${status}, a redirect. Redirects are never followed, because that would send the credential elsewhere. Check the endpoint.`,
    mayHaveApplied: false,
  })
}

/** An opaque tag contains no quote, so this separates two tags. */
const SEVERAL_ETAGS = /",\s*(?:W\/)?"/
const NO_METADATA = 'odata=nometadata'

/**
 * Rejects a success that cannot be the service's: another status than the operation's, as from a
 * portal that responds to everything with 200; several ETags in one header, because a later write would
 * match any of them; or a read without metadata, which loses the types.
 */
function checkSuccess(
  operation: OperationTraits,
  { status, headers }: HttpResponse,
  { request }: SentAttempt,
): void {
  const isRightStatus = operation.statuses?.includes(status) ?? true
  const isUntyped = headers['content-type']?.includes(NO_METADATA) === true && isRead(request)
  const hasSeveralETags = headers.etag !== undefined && SEVERAL_ETAGS.test(headers.etag)
  if (isRightStatus && !isUntyped && !hasSeveralETags) return
  const found = !isRightStatus
    ? String(status)
    : hasSeveralETags
      ? `${status} with several ETags`
      : `${status} without metadata`
  const mayHaveApplied = !isRead(request)
  const doubt = mayHaveApplied ? ' The outcome is unknown: it may have been applied.' : ''
  throw new DecodeError({
    message: `${operation.name}: ${request.origin} returned ${found}, which the Table service does not do. Check the endpoint, and any proxy in between.${doubt}`,
    mayHaveApplied,
  })
}
