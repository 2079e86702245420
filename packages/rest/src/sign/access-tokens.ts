import type { Endpoint } from '../endpoint/endpoint.ts'
import { credentialUnavailable } from '../errors/transport-error.ts'
import type { HttpResponse } from '../http/transport.ts'
import type { IssuedToken } from './renewed-token.ts'

/** A token of Microsoft Entra ID. */
export interface AccessToken {
  /** The token itself. */
  readonly token: string
  /** When it expires: milliseconds since 1970, UTC. */
  readonly expiresOnTimestamp: number
  /** When to request the next one: milliseconds since 1970, UTC. */
  readonly refreshAfterTimestamp?: number | undefined
}

/** A source of tokens, such as every credential of `@azure/identity`. */
export interface AccessTokenSource {
  /**
   * Gets a token, or `null` when none is available.
   *
   * @param scope - the scope of the token
   * @param options - `tenantId`: the tenant that the service named
   */
  getToken(scope: string, options?: { readonly tenantId?: string }): Promise<AccessToken | null>
}

/** The options of a `BearerCredential`. */
export interface BearerOptions {
  /** The source of tokens, such as `new DefaultAzureCredential()`. */
  readonly credential: AccessTokenSource
  /**
   * The scope of the tokens.
   *
   * @defaultValue the scope of the endpoint's service and cloud, such as
   * `https://storage.azure.com/.default`
   */
  readonly scope?: string | undefined
  /** Receives the error of a failed renewal while the current token is still valid. */
  readonly onError?: ((error: unknown) => void) | undefined
}

const TOKEN = /^[\x21-\x7e]+$/
const RENEWED_BEFORE_END = 5 * 60_000

/** One request for a token. */
export interface AccessTokenRequest {
  /** The source of tokens. */
  readonly credential: AccessTokenSource
  /** The scope, such as `https://storage.azure.com/.default`. */
  readonly scope: string
  /** The tenant that the service named; the default of the source when absent. */
  readonly tenantId: string | undefined
  /** Milliseconds since 1970, UTC. */
  readonly now: number
}

/**
 * Gets an access token, and decides when to renew it: when the token says, otherwise 5 minutes before
 * it expires.
 *
 * @param request - the source, and what it is asked for
 * @throws {@link TransportError} (`CredentialUnavailable`) without a valid token
 */
export async function issueAccessToken(request: AccessTokenRequest): Promise<IssuedToken<string>> {
  const { scope, now } = request
  const given = await ask(request)
  const { token, expiresOnTimestamp: expires, refreshAfterTimestamp } = given ?? {}
  const isToken = typeof token === 'string' && TOKEN.test(token)
  if (!isToken || typeof expires !== 'number' || !(expires > now)) {
    throw credentialUnavailable(
      `The credential returned no token for ${scope} that is valid by this machine's clock, which says ${new Date(now).toISOString()}. Sign in again, or use another credential.`,
    )
  }
  // A token of less than ten minutes would otherwise be renewed constantly.
  const latest = Math.max(expires - RENEWED_BEFORE_END, now + (expires - now) / 2)
  return { token, renewAt: refreshAfterTimestamp ?? latest, expires }
}

async function ask(request: AccessTokenRequest): Promise<AccessToken | null> {
  const { credential, scope, tenantId } = request
  try {
    return await credential.getToken(scope, tenantId === undefined ? {} : { tenantId })
  } catch (cause) {
    throw credentialUnavailable(
      `The credential could not get a token for ${scope}; the cause says why. Nothing was sent.`,
      { cause },
    )
  }
}

/** The suffixes of hosts and audiences in sovereign clouds. */
const SOVEREIGN: readonly (readonly [host: RegExp, domain: string])[] = [
  [/\.(?:chinacloudapi|azure)\.cn$/, 'cn'],
  [/\.(?:usgovcloudapi\.net|azure\.us)$/, 'us'],
]

/**
 * Returns the scope of the tokens that an account accepts: storage and Cosmos DB have one each, in each
 * cloud.
 *
 * @param endpoint - the account
 * @see https://learn.microsoft.com/rest/api/storageservices/authorize-with-azure-active-directory
 */
export function tokenScope({ origin, flavour }: Endpoint): string {
  const host = origin.replace(/:\d+$/, '')
  const domain = SOVEREIGN.find(([suffix]) => suffix.test(host))?.[1] ?? 'com'
  return `https://${flavour}.azure.${domain}/.default`
}

const AUTHORIZATION_URI = /\bauthorization(?:_uri)?="?([^\s",]+)/i
const TENANT = /^[A-Za-z0-9.-]+$/

/**
 * Reads the tenant that a service wants tokens of: the first segment of the `authorization_uri` in its
 * challenge.
 *
 * @param response - a response of status 401
 * @returns `undefined` when it names no tenant
 */
export function challengedTenant({ headers }: HttpResponse): string | undefined {
  const challenge = headers['www-authenticate'] ?? ''
  const uri = /^bearer\b/i.test(challenge) ? AUTHORIZATION_URI.exec(challenge)?.[1] : undefined
  if (uri === undefined || !URL.canParse(uri)) return undefined
  const tenant = new URL(uri).pathname.split('/')[1] ?? ''
  return TENANT.test(tenant) ? tenant : undefined
}
