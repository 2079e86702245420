import type { Endpoint } from '../endpoint/endpoint.ts'
import type { HttpRequest, HttpResponse } from '../http/transport.ts'

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
   * @throws an InputError when it knows that the service must refuse the request
   */
  authorize(
    request: HttpRequest,
    endpoint: Endpoint,
    now: number,
  ): HttpRequest | Promise<HttpRequest>
  /**
   * Learns from an answer of status 401, and says whether the same request may now be accepted: the
   * token had been withdrawn, or the service named the tenant to ask.
   *
   * The attempts of a call ask this at most once, at the first 401, and repeat the attempt when the
   * answer is true. A credential without this method cannot do better.
   *
   * @param response - the answer, with its `www-authenticate` header
   * @param endpoint - the account it came from
   * @param refused - what was sent, as `authorize` made it: of several calls that are refused at once,
   * those that come later may be about a proof that has been replaced since
   */
  challenged?(
    response: HttpResponse,
    endpoint: Endpoint,
    refused?: HttpRequest,
  ): boolean | Promise<boolean>
  /**
   * Learns that an attempt no longer waits for `authorize`: it was aborted, or its time was over. What
   * calls wait for together should then not keep the next call waiting.
   *
   * @param endpoint - the account that the request was for
   * @param now - what `authorize` was given
   */
  abandoned?(endpoint: Endpoint, now: number): void
}
