import type { Endpoint } from '../endpoint/endpoint.ts'
import type { HttpRequest, HttpResponse } from '../http/transport.ts'

/**
 * Proves the identity of the caller to the service. Every attempt is signed anew, so a retry
 * never carries an old
 * date.
 */
export interface Credential {
  /**
   * Adds a date and a signature, a token or a SAS to a request.
   *
   * @param request - the request of an operation
   * @param endpoint - the account
   * @param now - the date to sign: milliseconds since 1970, UTC
   * @throws an InputError for a request that the service would certainly reject
   */
  authorize(
    request: HttpRequest,
    endpoint: Endpoint,
    now: number,
  ): HttpRequest | Promise<HttpRequest>
  /**
   * Reacts to a response of status 401, and tells whether the same request may be accepted now. This is so
   * when the token was revoked, or the service named the tenant to use.
   *
   * A call asks this at most once, at its first 401, and repeats the attempt after `true`. A credential
   * without this method cannot react.
   *
   * @param response - the response, with its `www-authenticate` header
   * @param endpoint - the account
   * @param rejected - the rejected request, as `authorize` returned it: when several calls are rejected
   * at once, the token of a later one may have been replaced already
   */
  challenged?(
    response: HttpResponse,
    endpoint: Endpoint,
    rejected?: HttpRequest,
  ): boolean | Promise<boolean>
  /**
   * Reports that an attempt stopped waiting for `authorize`: it was aborted or timed out. Work that
   * several calls share should then not keep the next call waiting.
   *
   * @param endpoint - the account
   * @param now - the argument of `authorize`
   */
  abandoned?(endpoint: Endpoint, now: number): void
}
