import { aFunction, declareOptions, required, rule, withMethods } from '@rowkey/odata'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'
import type { HttpRequest, HttpResponse } from '../http/transport.ts'
import {
  type BearerOptions,
  challengedTenant,
  issueAccessToken,
  tokenScope,
} from './access-tokens.ts'
import { checkNotAcl } from './check-not-acl.ts'
import type { Credential } from './credential.ts'
import { RenewedToken } from './renewed-token.ts'
import { printHttpDate } from './string-to-sign.ts'

/** The tokens for one host. */
interface HostTokens {
  tenantId: string | undefined
  readonly renewed: RenewedToken<string>
}

const bearerOptions = declareOptions<BearerOptions>({
  credential: required(
    withMethods('a credential with getToken, as those of @azure/identity have', 'getToken'),
  ),
  onError: aFunction,
  scope: rule(
    "a text such as 'https://storage.azure.com/.default'",
    (scope) => typeof scope === 'string' && scope !== '',
  ),
})

/** Comes before a token. */
const SCHEME = 'Bearer '

/** The first version of storage that names the tenant in its response to a wrong token. */
const CHALLENGE_VERSION = '2020-12-06'

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
  readonly #hosts = new Map<string, HostTokens>()

  /** @throws `InputError` (`InvalidOptionValue`) for an invalid option */
  constructor(options: BearerOptions) {
    bearerOptions.check(options, 'BearerCredential')
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
    const token = this.#tokensOf(endpoint).renewed.at(now)
    const isStorage = endpoint.flavour === 'storage'
    const withToken = (text: string): HttpRequest => ({
      ...request,
      headers: {
        ...request.headers,
        'x-ms-date': printHttpDate(now),
        ...(isStorage && { 'x-ms-version': CHALLENGE_VERSION }),
        authorization: SCHEME + text,
      },
    })
    return typeof token === 'string' ? withToken(token) : token.then(withToken)
  }

  /**
   * Adopts the tenant that the service names, if any, and drops the rejected token. Calls that are
   * rejected at the same time share the next token.
   */
  challenged(response: HttpResponse, endpoint: Endpoint, rejected?: HttpRequest): boolean {
    if (response.status !== 401) return false
    const tokens = this.#tokensOf(endpoint)
    const tenantId = challengedTenant(response) ?? tokens.tenantId
    const isNews = tenantId !== tokens.tenantId || rejected === undefined
    tokens.tenantId = tenantId
    if (isNews) tokens.renewed.forget()
    else tokens.renewed.drop(rejected.headers.authorization?.slice(SCHEME.length) ?? '')
    return true
  }

  /** Lets the next call request a token again. */
  abandoned(endpoint: Endpoint, now: number): void {
    this.#tokensOf(endpoint).renewed.giveUp(now)
  }

  #tokensOf(endpoint: Endpoint): HostTokens {
    const known = this.#hosts.get(endpoint.origin)
    if (known !== undefined) return known
    const { credential, onError, scope = tokenScope(endpoint) } = this.#options
    const tokens: HostTokens = {
      tenantId: undefined,
      renewed: new RenewedToken(
        (now) => issueAccessToken({ credential, scope, tenantId: tokens.tenantId, now }),
        onError,
      ),
    }
    this.#hosts.set(endpoint.origin, tokens)
    return tokens
  }
}

function checkRequest(request: HttpRequest): void {
  const { origin } = request
  if (!origin.startsWith('https:')) {
    throw restInputError({
      code: 'InsecureEndpoint',
      message: `${origin} uses plain http, and tokens are never sent over it. Use https.`,
    })
  }
  checkNotAcl(request, 'token')
}
