import { brand, declareOptions, type OptionRules, oneOf } from '@rowkey/odata'
import type { Endpoint } from '../endpoint/endpoint.ts'
import type { HttpRequest } from '../http/transport.ts'
import type { Credential } from '../sign/credential.ts'
import { checkSasScope, readSasScope, type SasScope } from './sas-scope.ts'
import { checkSasSignature, checkSasToken, parseSasTime } from './sas-token.ts'

/** The options of a {@link SasCredential}. */
export interface SasCredentialOptions {
  /**
   * Where calls are checked against the token. The token contains its table, keys, permissions and times. A
   * call that it does not allow can be rejected before sending, with a better message than the service's. So can a token
   * whose `sig` was cut or percent-encoded twice.
   *
   * @defaultValue `'before sending'`
   */
  readonly checks?: 'before sending' | 'by the service' | undefined
}

/** The rules of {@link SasCredentialOptions}. */
export const sasCredentialRules: OptionRules<SasCredentialOptions> = {
  checks: oneOf('before sending', 'by the service'),
}

const sasCredentialOptions = declareOptions(sasCredentialRules)

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
  static {
    brand(SasCredential, 'rowkey.sasCredential')
  }

  readonly #token: string
  readonly #checks: boolean
  #scope: SasScope | undefined

  /**
   * @param token - the token as a percent-encoded query string; a leading `?` is removed, and a `+` in `sig` is encoded
   * @param options - where calls are checked
   * @throws `InputError` (`InvalidCredential`) when the text is not a SAS, or when its `sig` cannot be a signature
   */
  constructor(token: string, options: SasCredentialOptions = {}) {
    this.#token = checkSasToken(token)
    sasCredentialOptions.check(options, 'SasCredential')
    this.#checks = options.checks !== 'by the service'
    if (this.#checks) checkSasSignature(this.#token)
  }

  /** When the token expires, in milliseconds since 1970, UTC; `undefined` when a stored policy sets it. */
  get expiry(): number | undefined {
    return parseSasTime(new URLSearchParams(this.#token).get('se'))
  }

  /**
   * Adds the token to the end of a request's query.
   *
   * @throws `InputError` (`OutsideSasScope`) when the token does not allow the request, and
   * `AccountKeyRequired` for stored access policies, which no token allows
   */
  authorize(request: HttpRequest, _endpoint: Endpoint, now: number): HttpRequest {
    if (this.#checks) {
      this.#scope ??= readSasScope(this.#token)
      checkSasScope(this.#scope, request, now)
    }
    const query = request.query === '' ? this.#token : `${request.query}&${this.#token}`
    return { ...request, query }
  }
}
