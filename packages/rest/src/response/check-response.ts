import { DecodeError } from '@rowkey/odata'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { doubtOf } from '../errors/transport-error.ts'
import { type HttpRequest, type HttpResponse, isRead } from '../http/transport.ts'
import type { OperationTraits } from '../request/operation.ts'
import { authenticationAdvice } from './authentication-advice.ts'
import { readErrorBody, rejectsCredential, serviceErrorOf } from './service-error.ts'

/** The part of an attempt that its response is checked against. */
export interface SentAttempt {
  readonly request: HttpRequest
  /** The input of the operation. */
  readonly input: unknown
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
  const oddity = response.status < 300 ? oddityOf(operation, response, attempt) : ''
  if (oddity === undefined) return undefined
  if (response.status >= 400) return checkError(operation, response, attempt)
  throw response.status >= 300
    ? redirectError(operation, response, attempt)
    : strangeSuccess(operation, oddity, attempt)
}

/** An opaque tag contains no quote, so this separates two tags. */
const SEVERAL_ETAGS = /",\s*(?:W\/)?"/
const NO_METADATA = 'odata=nometadata'

/**
 * Says what shows that a success cannot be the service's. It may have another status than the operation's,
 * as from a portal that responds to everything with 200. It may have several ETags in one header: a later
 * write would match any of them. Or it is a read without metadata, which loses the types.
 */
function oddityOf(
  { statuses }: OperationTraits,
  { status, headers }: HttpResponse,
  { request }: SentAttempt,
): string | undefined {
  if (statuses?.includes(status) === false) return String(status)
  if (SEVERAL_ETAGS.test(headers.etag ?? '')) return `${status} with several ETags`
  const isUntyped = headers['content-type']?.includes(NO_METADATA) === true && isRead(request)
  return isUntyped ? `${status} without metadata` : undefined
}

/** Throws the error of a response, unless the operation expects it. Waits, because an error in XML loads the parser first. */
async function checkError(
  operation: OperationTraits,
  response: HttpResponse,
  attempt: SentAttempt,
): Promise<void> {
  const body = await readErrorBody(response)
  if (!attempt.strict && operation.expects?.includes(body.code)) return
  const isRejected = rejectsCredential(response.status) && !body.isForeign
  const advice = isRejected ? authenticationAdvice(body.code, response, attempt) : undefined
  throw serviceErrorOf(operation, response, body, { ...attempt, advice })
}

function redirectError(
  { name }: OperationTraits,
  { status }: HttpResponse,
  { request }: SentAttempt,
): DecodeError {
  return new DecodeError({
    message: `${name}: ${request.origin} returned ${status}, a redirect. Redirects are never followed with a credential. Check the endpoint.`,
    mayHaveApplied: false,
  })
}

function strangeSuccess(
  { name }: OperationTraits,
  oddity: string,
  { request }: SentAttempt,
): DecodeError {
  const mayHaveApplied = !isRead(request)
  return new DecodeError({
    message: `${name}: ${request.origin} returned ${oddity}, which the Table service does not do. Check the endpoint, and any proxy in between.${doubtOf(mayHaveApplied)}`,
    mayHaveApplied,
  })
}
