import { DecodeError } from '@rowkey/odata'
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
  if (response.status >= 400) return checkError(operation, response, attempt)
  if (response.status >= 300) throw redirectError(operation, response, attempt)
  checkSuccess(operation, response, attempt)
  return undefined
}

/** Reads errors. It is loaded with the first error of a service, and not awaited again. */
let errors: typeof import('./service-error.ts') | undefined

async function checkError(
  operation: OperationTraits,
  response: HttpResponse,
  attempt: SentAttempt,
): Promise<void> {
  errors ??= await import('./service-error.ts').catch(() => undefined)
  if (errors === undefined) throw unreadError(operation, response, attempt)
  return errors.checkError(operation, response, attempt)
}

/** Without the code that reads errors, only the status is known: a write may have been applied. */
function unreadError(
  { name }: OperationTraits,
  { status, headers }: HttpResponse,
  { request }: SentAttempt,
): ServiceError {
  return new ServiceError({
    message: `${name} failed with the status ${status}. The code that reads the reason could not be loaded: deploy all files of the program.`,
    status,
    code: `Http${status}`,
    requestId: requestIdOf({ headers }),
    operation: name,
    mayHaveApplied: !isRead(request),
  })
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
