import type { Endpoint } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'

import type { HttpRequest, HttpResponse } from '../http/transport.ts'
import { checkOptions } from '../options/check-options.ts'
import { type AccessTokenSource, issueAccessToken, tokenScope } from './access-token.ts'
import type { Credential } from './credential.ts'
import { RenewedToken } from './renewed-token.ts'
import { printHttpDate } from './string-to-sign.ts'

/** What a {@link BearerCredential} is made from. */
export interface BearerOptions {
  /** Gets the tokens: `new DefaultAzureCredential()`, say. */
  readonly credential: AccessTokenSource
  /**
   * What the tokens are for.
   *
   * @defaultValue that of the endpoint's service and cloud, such as
   * `https://storage.azure.com/.default`
   */
  readonly scope?: string | undefined
  /** Is told when a token could not be renewed while the old one is still good. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** What is kept for one host. */
interface HostTokens {
  tenantId: string | undefined
  readonly renewed: RenewedToken<string>
}

const OPTION_NAMES = ['credential', 'onError', 'scope']
const ACL = /(?:^|&)comp=acl(?:&|$)/

/** What stands before a token. */
const SCHEME = 'Bearer '

/** The first version of storage that answers a wrong token with the tenant to ask. */
const CHALLENGE_VERSION = '2020-12-06'

/**
 * Tokens of Microsoft Entra ID, from anything with the shape of `@azure/core-auth`.
 *
 * A token is kept and renewed 5 minutes before it ends (or when it says); concurrent calls share one
 * renewal. It goes over https only, always. Who has several tenants need not name one: the service
 * does, in its answer to the first attempt.
 *
 * The one who asks needs a role, such as Storage Table Data Contributor.
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

  /** @throws {@link InputError} (`InvalidOptionValue`) when an option cannot be one */
  constructor(options: BearerOptions) {
    checkBearerOptions(options)
    const { credential, scope, onError } = options
    this.#options = { credential, scope, onError }
  }

  /**
   * The request with `x-ms-date` and `Authorization`.
   *
   * @throws `InsecureEndpointError` over plain http, also to this machine
   * @throws {@link InputError} (`AccountKeyRequired`) for stored access policies
   * @throws {@link TransportError} (`CredentialUnavailable`) when there is no good token and none is given
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
   * Takes the tenant that the service names, if any, and lets go of the token that was refused. Calls
   * that are refused at once share the next one.
   */
  challenged(response: HttpResponse, endpoint: Endpoint, refused?: HttpRequest): boolean {
    if (response.status !== 401) return false
    const tokens = this.#tokensOf(endpoint)
    const tenantId = challengedTenant(response) ?? tokens.tenantId
    const isNews = tenantId !== tokens.tenantId || refused === undefined
    tokens.tenantId = tenantId
    if (isNews) tokens.renewed.forget()
    else tokens.renewed.drop(refused.headers.authorization?.slice(SCHEME.length) ?? '')
    return true
  }

  /** Lets the next call ask for a token anew. */
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

function checkBearerOptions(options: BearerOptions): void {
  checkOptions(options, OPTION_NAMES, 'BearerCredential')
  const { credential, scope, onError } = options
  if (typeof credential?.getToken !== 'function') {
    throw restInputError({
      code: 'InvalidOptionValue',
      message: 'credential of BearerCredential must have getToken, as those of @azure/identity do.',
    })
  }
  if (onError !== undefined && typeof onError !== 'function') {
    throw restInputError({
      code: 'InvalidOptionValue',
      message: 'onError of BearerCredential must be a function.',
    })
  }
  if (scope !== undefined && (typeof scope !== 'string' || scope === '')) {
    throw restInputError({
      code: 'InvalidOptionValue',
      message:
        "scope of BearerCredential must be text such as 'https://storage.azure.com/.default'.",
    })
  }
}

function checkRequest({ origin, query }: HttpRequest): void {
  if (!origin.startsWith('https:')) {
    throw restInputError({
      code: 'InsecureEndpoint',
      message: `${origin} is plain http, and a token is never sent over it. Use https.`,
    })
  }
  if (!ACL.test(query)) return
  throw restInputError({
    code: 'AccountKeyRequired',
    message:
      'Stored access policies are read and set with the account key only: no token allows it.',
  })
}

const AUTHORIZATION_URI = /\bauthorization(?:_uri)?="?([^\s",]+)/i
const TENANT = /^[A-Za-z0-9.-]+$/

/**
 * The tenant that a service wants tokens of: the first segment of the `authorization_uri` in its
 * challenge.
 *
 * @param response - an answer of status 401
 * @returns `undefined` when it names none
 */
export function challengedTenant({ headers }: HttpResponse): string | undefined {
  const challenge = headers['www-authenticate'] ?? ''
  const uri = /^bearer\b/i.test(challenge) ? AUTHORIZATION_URI.exec(challenge)?.[1] : undefined
  if (uri === undefined || !URL.canParse(uri)) return undefined
  const tenant = new URL(uri).pathname.split('/')[1] ?? ''
  return TENANT.test(tenant) ? tenant : undefined
}
