import type { Endpoint } from '../endpoint/endpoint.ts'
import { invalidOption, restInputError } from '../errors/codes.ts'
import { partNotLoaded } from '../errors/part-not-loaded.ts'
import type { HttpRequest, HttpResponse } from '../http/transport.ts'
import { checkOptions } from '../options/check-options.ts'
import type { AccessTokens, BearerOptions } from './access-tokens.ts'
import type { Credential } from './credential.ts'

const ACL = /(?:^|&)comp=acl(?:&|$)/

/**
 * Sends tokens of Microsoft Entra ID, from any source with the interface of `@azure/core-auth`.
 *
 * A token is renewed 5 minutes before it expires, or when it says; concurrent calls share one renewal.
 * Tokens are sent over https only. With several tenants, the service names the right one in its
 * response to the first attempt.
 *
 * The identity needs a role, such as Storage Table Data Contributor.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/authorize-with-azure-active-directory
 *
 * @example
 * ```ts
 * const service = tableService({
 *   endpoint: 'https://contoso.table.core.windows.net',
 *   credential: new BearerCredential({ credential: new DefaultAzureCredential() }),
 * })
 * ```
 */
export class BearerCredential implements Credential {
  readonly #options: BearerOptions
  #tokens: AccessTokens | undefined

  /** @throws `InputError` (`InvalidOptionValue`) for an invalid option */
  constructor(options: BearerOptions) {
    checkBearerOptions(options)
    const { credential, scope, onError } = options
    this.#options = { credential, scope, onError }
  }

  /**
   * Adds `x-ms-date` and `Authorization` to a request.
   *
   * @throws `InsecureEndpointError` over plain http, also to this machine
   * @throws `InputError` (`AccountKeyRequired`) for stored access policies
   * @throws `TransportError` (`CredentialUnavailable`) without a valid token
   */
  authorize(
    request: HttpRequest,
    endpoint: Endpoint,
    now: number,
  ): HttpRequest | Promise<HttpRequest> {
    checkRequest(request)
    const tokens = this.#tokens
    if (tokens !== undefined) return tokens.authorize(request, endpoint, now)
    return this.#load().then((loaded) => loaded.authorize(request, endpoint, now))
  }

  /**
   * Adopts the tenant that the service names, if any, and drops the rejected token. Calls that are
   * rejected at the same time share the next token.
   */
  challenged(response: HttpResponse, endpoint: Endpoint, rejected?: HttpRequest): boolean {
    if (response.status !== 401) return false
    this.#tell((tokens) => tokens.reject(response, endpoint, rejected))
    return true
  }

  /** Lets the next call request a token again. */
  abandoned(endpoint: Endpoint, now: number): void {
    this.#tell((tokens) => tokens.giveUp(endpoint, now))
  }

  /** The calls that wait for the code get it in their order. Where it cannot be loaded, `authorize` says so. */
  #tell(event: (tokens: AccessTokens) => void): void {
    if (this.#tokens === undefined) this.#load().then(event, () => {})
    else event(this.#tokens)
  }

  /** A token arrives later anyway, so the code that gets it is loaded with the first call. */
  async #load(): Promise<AccessTokens> {
    const { AccessTokens } = await import('./access-tokens.ts').catch(partNotLoaded)
    this.#tokens ??= new AccessTokens(this.#options)
    return this.#tokens
  }
}

function checkBearerOptions(options: BearerOptions): void {
  checkOptions(options, { credential: true, onError: true, scope: true }, 'BearerCredential')
  const { credential, scope, onError } = options
  if (typeof credential?.getToken !== 'function') {
    throw invalidOption(
      'credential of BearerCredential must have a getToken method, as those of @azure/identity have.',
    )
  }
  if (onError !== undefined && typeof onError !== 'function') {
    throw invalidOption('onError of BearerCredential must be a function.')
  }
  if (scope !== undefined && (typeof scope !== 'string' || scope === '')) {
    throw invalidOption(
      "scope of BearerCredential must be a text such as 'https://storage.azure.com/.default'.",
    )
  }
}

function checkRequest({ origin, query }: HttpRequest): void {
  if (!origin.startsWith('https:')) {
    throw restInputError({
      code: 'InsecureEndpoint',
      message: `${origin} uses plain http, and tokens are never sent over it. Use https.`,
    })
  }
  if (!ACL.test(query)) return
  throw restInputError({
    code: 'AccountKeyRequired',
    message: 'Stored access policies need the account key; no token can read or set them.',
  })
}
