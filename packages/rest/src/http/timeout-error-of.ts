import { AttemptTimeoutError } from '../errors/attempt-timeout-error.ts'
import { type HttpRequest, isRead } from './http-request.ts'

/**
 * What it means to the caller that no whole answer came in time.
 *
 * @param request - what was to be sent; its query may hold a SAS and is not shown
 * @param timeout - the milliseconds that the attempt had
 * @param sent - whether the request may have begun to be written to a connection
 */
export function timeoutErrorOf(
  request: HttpRequest,
  timeout: number,
  sent: boolean,
): AttemptTimeoutError {
  const mayHaveApplied = sent && !isRead(request)
  const doubt = mayHaveApplied ? ' The outcome is unknown: it may have been applied.' : ''
  return new AttemptTimeoutError({
    message: `${request.method} ${request.origin}${request.path}: no whole answer within ${timeout} ms.${doubt}`,
    mayHaveApplied,
  })
}
