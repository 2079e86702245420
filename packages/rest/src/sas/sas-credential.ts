import type { Endpoint } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'

import type { HttpRequest } from '../http/transport.ts'
import { checkOptions } from '../options/check-options.ts'
import type { Credential } from '../sign/credential.ts'
import { checkSasScope, readSasScope, type SasScope } from './sas-scope.ts'

/** The options of a {@link SasCredential}. */
export interface SasCredentialOptions {
  /**
   * Where calls are checked against the token. The token contains its table, keys, permissions and
   * times, so a call that it does not allow can be rejected before sending, with a better message than
   * the service's.
   *
   * @defaultValue `'before sending'`
   */
  readonly checks?: 'before sending' | 'by the service' | undefined
}

const QUERY_TEXT = /^[\x21-\x7e]+$/

/**
 * Sends a shared access signature (SAS): a token that the owner of the account key made.
 *
 * A call that the token does not allow is rejected before it is sent. The token cannot be read back, and
 * no log, inspection or JSON shows it.
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
  readonly #scope: SasScope
  readonly #checks: boolean

  /**
   * @param token - the token as a percent-encoded query string; a leading `?` is removed
   * @param options - where calls are checked
   * @throws `InputError` (`InvalidCredential`) when the text is not a SAS
   */
  constructor(token: string, options: SasCredentialOptions = {}) {
    const text = typeof token === 'string' && token.startsWith('?') ? token.slice(1) : token
    const names =
      typeof text === 'string' ? text.split('&').map((pair) => pair.split('=', 1)[0]) : []
    if (!names.includes('sig') || !names.includes('sv') || !QUERY_TEXT.test(text)) {
      throw restInputError({
        code: 'InvalidCredential',
        message:
          'The shared access signature is invalid: it must be a percent-encoded query string with sv and sig.',
      })
    }
    this.#token = text
    this.#scope = readSasScope(text)
    this.#checks = checkChecks(options)
  }

  /** When the token expires, in milliseconds since 1970, UTC; `undefined` when a stored policy sets it. */
  get expiry(): number | undefined {
    return this.#scope.expiry
  }

  /**
   * Adds the token to the end of a request's query.
   *
   * @throws `InputError` (`OutsideSasScope`) when the token does not allow the request, and
   * `AccountKeyRequired` for stored access policies, which no token allows
   */
  authorize(request: HttpRequest, _endpoint: Endpoint, now: number): HttpRequest {
    if (this.#checks) checkSasScope(this.#scope, request, now)
    const query = request.query === '' ? this.#token : `${request.query}&${this.#token}`
    return { ...request, query }
  }
}

function checkChecks(options: SasCredentialOptions): boolean {
  checkOptions(options, { checks: true }, 'SasCredential')
  const { checks = 'before sending' } = options
  if (checks === 'before sending' || checks === 'by the service') return checks === 'before sending'
  throw restInputError({
    code: 'InvalidOptionValue',
    message: "checks of SasCredential must be 'before sending' or 'by the service'.",
  })
}
