import type { Endpoint } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'

import type { HttpRequest } from '../http/transport.ts'
import { checkOptions } from '../options/check-options.ts'
import type { Credential } from '../sign/credential.ts'
import { checkSasScope, readSasScope, type SasScope } from './sas-scope.ts'

/** How a {@link SasCredential} behaves. */
export interface SasCredentialOptions {
  /**
   * Who refuses what the token does not allow. The token itself says its table, keys, permissions
   * and times, so such a call can be refused without sending it, and with better words than the
   * service has.
   *
   * @defaultValue `'before sending'`
   */
  readonly checks?: 'before sending' | 'by the service' | undefined
}

const QUERY_TEXT = /^[\x21-\x7e]+$/

/**
 * A shared access signature (SAS): adds a token that someone with the account key made.
 *
 * A call that the token cannot be enough for is refused before it is sent. The token cannot be got
 * out again, and shows in no log, inspection or JSON.
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
   * @param token - the token as a percent-encoded query string; a `?` in front is taken off
   * @param options - who checks what it allows
   * @throws {@link InputError} (`InvalidCredential`) when the text cannot be a SAS
   */
  constructor(token: string, options: SasCredentialOptions = {}) {
    const text = typeof token === 'string' && token.startsWith('?') ? token.slice(1) : token
    const names =
      typeof text === 'string' ? text.split('&').map((pair) => pair.split('=', 1)[0]) : []
    if (!names.includes('sig') || !names.includes('sv') || !QUERY_TEXT.test(text)) {
      throw restInputError({
        code: 'InvalidCredential',
        message:
          'The shared access signature is not one: it must be a percent-encoded query string with sv and sig.',
      })
    }
    this.#token = text
    this.#scope = readSasScope(text)
    this.#checks = checkChecks(options)
  }

  /** When the token ends, in milliseconds since 1970, UTC; `undefined` when a stored policy says it. */
  get expiry(): number | undefined {
    return this.#scope.expiry
  }

  /**
   * The request with the token at the end of its query.
   *
   * @throws {@link InputError} (`OutsideSasScope`) when the token does not allow it
   * @throws {@link InputError} (`AccountKeyRequired`) for stored access policies, which no token opens
   */
  authorize(request: HttpRequest, _endpoint: Endpoint, now: number): HttpRequest {
    if (this.#checks) checkSasScope(this.#scope, request, now)
    const query = request.query === '' ? this.#token : `${request.query}&${this.#token}`
    return { ...request, query }
  }
}

function checkChecks(options: SasCredentialOptions): boolean {
  checkOptions(options, ['checks'], 'SasCredential')
  const { checks = 'before sending' } = options
  if (checks === 'before sending' || checks === 'by the service') return checks === 'before sending'
  throw restInputError({
    code: 'InvalidOptionValue',
    message: "checks of SasCredential must be 'before sending' or 'by the service'.",
  })
}
