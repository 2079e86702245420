import { DecodeError } from '../errors/decode-error.ts'
import { type HttpRequest, isRead } from '../http/http-request.ts'
import type { HttpResponse } from '../http/http-response.ts'
import type { OperationTraits } from '../operation.ts'

/** An opaque tag has no quote inside, so this is the border between two. */
const SEVERAL_ETAGS = /",\s*(?:W\/)?"/

/**
 * The error that an answer below 300 stands for, when it cannot be the service's: another status than
 * the operation's, as of a portal that answers everything with 200; or several ETags in one header,
 * of which a later write would take any.
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
  const { name, answers } = operation
  const isRight = answers === undefined || answers.includes(status)
  const isWhole = headers.etag === undefined || !SEVERAL_ETAGS.test(headers.etag)
  if (isRight && isWhole) return undefined
  const mayHaveApplied = !isRead(request)
  const found = isRight ? `${status} with several ETags` : String(status)
  const doubt = mayHaveApplied ? ' The outcome is unknown: it may have been applied.' : ''
  return new DecodeError({
    message: `${name} was answered ${found} by ${request.origin}, which the service does not do. Is the endpoint right, and no proxy answering in its place?${doubt}`,
    mayHaveApplied,
  })
}
