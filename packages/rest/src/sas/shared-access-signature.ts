import type { Endpoint } from '../endpoint/endpoint.ts'

/**
 * A shared access signature (SAS) from `tableSas` or `accountSas`: anyone who has the token can do
 * what it allows.
 *
 * Only the `token` property shows the token; no log, inspection or JSON of this object does.
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
   * The risks of the token. It may allow plain http, start so soon that a service with a slow clock rejects
   * it, or be valid for long and irrevocable.
   */
  readonly warnings: readonly string[]

  readonly #token: string

  /**
   * @param token - the percent-encoded query string, without a `?`
   * @param warnings - the risks of the token
   */
  constructor(token: string, warnings: readonly string[]) {
    this.#token = token
    this.warnings = Object.freeze([...warnings])
  }

  /** The token, a secret: a percent-encoded query string, without a `?`. */
  get token(): string {
    return this.#token
  }

  /**
   * Returns the endpoint's URL with the token, which `connect` accepts. It is as secret as the token.
   *
   * @param endpoint - the account
   */
  urlAt(endpoint: Endpoint): string {
    return `${endpoint.origin}${endpoint.basePath}/?${this.#token}`
  }
}
