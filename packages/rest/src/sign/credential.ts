import type { Endpoint } from '../endpoint.ts'
import type { HttpRequest } from '../http/http-request.ts'

/**
 * Proves to the service who is asking. Every attempt is authorized afresh, so a retry never carries
 * a stale date.
 */
export interface Credential {
  /**
   * The request with its date and its proof added.
   *
   * @param request - what the operation made
   * @param endpoint - the account it goes to
   * @param now - milliseconds since 1970, UTC
   */
  authorize(
    request: HttpRequest,
    endpoint: Endpoint,
    now: number,
  ): HttpRequest | Promise<HttpRequest>
}
