import { DecodeError } from '@rowkey/odata'
import { type HttpHeaders, type HttpRequest, isRead } from '../http/http-request.ts'
import type { HttpResponse } from '../http/http-response.ts'
import type { OperationTraits } from '../operation.ts'

/** An opaque tag has no quote inside, so this is the border between two. */
const SEVERAL_ETAGS = /",\s*(?:W\/)?"/
const NO_METADATA = 'odata=nometadata'

/**
 * The error that an answer below 300 stands for, when it cannot be the service's: another status than
 * the operation's, as of a portal that answers everything with 200; several ETags in one header, of
 * which a later write would take any; or something read without metadata, in which types are lost.
 *
 * @param operation - what was asked for
 * @param request - what was sent
 * @param response - an answer below 300
 * @returns `undefined` when nothing is wrong with it
 */
export function unexpectedSuccess(
  operation: OperationTraits,
  request: HttpRequest,
  { status, headers }: HttpResponse,
): DecodeError | undefined {
  const what = wrongIn(operation, { status, headers }) ?? untypedIn(request, headers)
  if (what === undefined) return undefined
  const mayHaveApplied = !isRead(request)
  const doubt = mayHaveApplied ? ' The outcome is unknown: it may have been applied.' : ''
  return new DecodeError({
    message: `${operation.name} was answered ${what} by ${request.origin}, which the service does not do. Is the endpoint right, and no proxy answering in its place?${doubt}`,
    mayHaveApplied,
  })
}

function wrongIn(
  { answers }: OperationTraits,
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
): string | undefined {
  if (answers?.includes(status) === false) return String(status)
  if (SEVERAL_ETAGS.test(headers.etag ?? '')) return `${status} with several ETags`
  return undefined
}

/** Every request asks for metadata: without it an Int64 is text, and nothing tells that it is not. */
function untypedIn(request: HttpRequest, headers: HttpHeaders): string | undefined {
  const isUntyped = headers['content-type']?.includes(NO_METADATA) === true
  return isUntyped && isRead(request) ? 'without metadata' : undefined
}
