import type { Endpoint } from '../endpoint.ts'
import { CredentialError } from '../errors/credential-error.ts'
import type { HttpRequest } from '../http/http-request.ts'
import type { Credential } from './credential.ts'

const QUERY_TEXT = /^[\x21-\x7e]+$/

/**
 * A shared access signature (SAS): adds a token that someone with the account key made.
 *
 * The token cannot be got out again, and shows in no log, inspection or JSON.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/delegate-access-with-shared-access-signature
 *
 * @example
 * ```ts
 * const service = tableService({
 *   endpoint: 'https://contoso.table.core.windows.net',
 *   credential: new SasCredential(process.env.TABLES_SAS!),
 * })
 * ```
 */
export class SasCredential implements Credential {
  readonly #token: string

  /**
   * @param token - the token as a percent-encoded query string; a `?` in front is taken off
   * @throws {@link CredentialError} when the text cannot be a SAS
   */
  constructor(token: string) {
    const text = typeof token === 'string' && token.startsWith('?') ? token.slice(1) : token
    const names =
      typeof text === 'string' ? text.split('&').map((pair) => pair.split('=', 1)[0]) : []
    if (!names.includes('sig') || !names.includes('sv') || !QUERY_TEXT.test(text)) {
      throw new CredentialError({
        message:
          'The shared access signature is not one: it must be a percent-encoded query string with sv and sig.',
      })
    }
    this.#token = text
  }

  /** The request with the token at the end of its query. */
  authorize(request: HttpRequest, _endpoint: Endpoint, _now: number): HttpRequest {
    const query = request.query === '' ? this.#token : `${request.query}&${this.#token}`
    return { ...request, query }
  }
}
