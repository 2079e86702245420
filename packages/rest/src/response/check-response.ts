import { ServiceError } from '../errors/service-error.ts'
import { type HttpResponse, isRead } from '../http/transport.ts'
import type { OperationTraits } from '../request/operation.ts'
import { requestIdOf } from './response-headers.ts'
import type { SentAttempt } from './service-error.ts'

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
  return oddity === undefined ? undefined : checkFailure(operation, response, attempt, oddity)
}

/** An opaque tag contains no quote, so this separates two tags. */
const SEVERAL_ETAGS = /",\s*(?:W\/)?"/
const NO_METADATA = 'odata=nometadata'

/**
 * Says what shows that a success cannot be the service's: another status than the operation's, as from a
 * portal that responds to everything with 200; several ETags in one header, because a later write would
 * match any of them; or a read without metadata, which loses the types.
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

/** The part of a response that JSON is read from. */
export type JsonResponse = Pick<HttpResponse, 'headers' | 'body'>

const JSON_TYPE = /^\s*(?:$|[\w.+/-]+[/+]json\s*(?:;|$))/i

/** Tells whether the Content-Type is JSON, or absent. */
export function isJson({ headers }: JsonResponse): boolean {
  return JSON_TYPE.test(headers['content-type'] ?? '')
}

/** Reads errors. It is loaded with the first response that is not a success, and not awaited again. */
let errors: typeof import('./service-error.ts') | undefined

async function checkFailure(
  operation: OperationTraits,
  response: HttpResponse,
  attempt: SentAttempt,
  oddity: string,
): Promise<void> {
  errors ??= await import('./service-error.ts').catch(() => undefined)
  if (errors === undefined) throw unreadError(operation, response, attempt)
  return errors.checkFailure(operation, response, attempt, oddity)
}

/** Without the code that reads errors, only the status is known: a write may have been applied. */
function unreadError(
  { name }: OperationTraits,
  { status, headers }: HttpResponse,
  { request }: SentAttempt,
): ServiceError {
  return new ServiceError({
    message: `${name} failed with the status ${status}. The code that says why could not be loaded: publish all files of the build.`,
    status,
    code: `Http${status}`,
    requestId: requestIdOf({ headers }),
    operation: name,
    mayHaveApplied: !isRead(request),
  })
}
