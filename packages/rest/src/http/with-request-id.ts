import type { HttpRequest } from './http-request.ts'

/**
 * A request with the id of the call it belongs to. The service logs the id and says it back, so that
 * all attempts of a call can be found in the service's logs.
 *
 * @param request - what an operation made
 * @param id - the same for every attempt of the call
 */
export function withRequestId(request: HttpRequest, id: string): HttpRequest {
  return { ...request, headers: { 'x-ms-client-request-id': id, ...request.headers } }
}
