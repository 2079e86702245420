import type { Endpoint } from '../endpoint/endpoint.ts'

/**
 * A shared access signature (SAS) that was just made, from `tableSas` or `accountSas`:
 * whoever has the token can do what it allows.
 *
 * The token is got by asking for it. No log, inspection or JSON of this object shows it.
 *
 * @example
 * ```ts
 * const sas = table.sas({ permissions: 'r', expiry: new Date(Date.now() + 3_600_000) })
 * for (const warning of sas.warnings) console.warn(warning)
 * response.end(sas.token)
 * ```
 */
export class SharedAccessSignature {
  /**
   * What is unwise about the token, if anything: that it allows plain http, starts so soon that a
   * slow clock would refuse it, or lives long and cannot be revoked.
   */
  readonly warnings: readonly string[]

  readonly #token: string

  /**
   * @param token - the percent-encoded query string, without a `?`
   * @param warnings - what is unwise about it
   */
  constructor(token: string, warnings: readonly string[]) {
    this.#token = token
    this.warnings = Object.freeze([...warnings])
  }

  /** The secret: a percent-encoded query string, without a `?`. */
  get token(): string {
    return this.#token
  }

  /**
   * The endpoint's URL with the token in it, which `connect` takes as it is. It is as secret as the
   * token.
   *
   * @param endpoint - the account's
   */
  urlAt(endpoint: Endpoint): string {
    return `${endpoint.origin}${endpoint.basePath}/?${this.#token}`
  }
}
