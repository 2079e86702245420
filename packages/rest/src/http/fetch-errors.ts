import type { TransportError } from '../errors/transport-error.ts'
import { isConnectionFailure, transportErrorOf } from './connection-failures.ts'
import type { HttpRequest } from './transport.ts'

/**
 * Makes the error of a `fetch` that failed.
 *
 * @param cause - the error of `fetch`, or of the socket below it
 * @param request - the request; its query may contain a SAS and is not shown
 */
export function fetchErrorOf(cause: Error, request: HttpRequest): TransportError {
  return transportErrorOf(cause, request, !isConnectionFailure(cause))
}
