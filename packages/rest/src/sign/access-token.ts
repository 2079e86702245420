import type { Endpoint } from '../endpoint/endpoint.ts'
import { TransportError } from '../errors/transport-error.ts'

import type { IssuedToken } from './renewed-token.ts'

/** A token of Microsoft Entra ID. */
export interface AccessToken {
  /** The token itself. */
  readonly token: string
  /** When it ends: milliseconds since 1970, UTC. */
  readonly expiresOnTimestamp: number
  /** When to get the next one: milliseconds since 1970, UTC. */
  readonly refreshAfterTimestamp?: number | undefined
}

/** Gets tokens; every credential of `@azure/identity` does. */
export interface AccessTokenSource {
  /**
   * Gets a token, or `null` when there is none to be had.
   *
   * @param scope - what the token is for
   * @param options - `tenantId`: the tenant that the service named
   */
  getToken(scope: string, options?: { readonly tenantId?: string }): Promise<AccessToken | null>
}

const TOKEN = /^[\x21-\x7e]+$/
const RENEWED_BEFORE_END = 5 * 60_000

/** What is asked for, and when. */
export interface AccessTokenRequest {
  /** Who provides tokens. */
  readonly credential: AccessTokenSource
  /** What the token is for, such as `https://storage.azure.com/.default`. */
  readonly scope: string
  /** The tenant that the service named; the provider's own when absent. */
  readonly tenantId: string | undefined
  /** Milliseconds since 1970, UTC. */
  readonly now: number
}

/**
 * Gets an access token and says when to get the next: when the token says so, or else 5 minutes before
 * it ends.
 *
 * @param request - whom to ask, and what for
 * @throws {@link TransportError} (`CredentialUnavailable`) when there is none that is good now
 */
export async function issueAccessToken(request: AccessTokenRequest): Promise<IssuedToken<string>> {
  const { scope, now } = request
  const given = await ask(request)
  const { token, expiresOnTimestamp: expires, refreshAfterTimestamp } = given ?? {}
  const isToken = typeof token === 'string' && TOKEN.test(token)
  if (!isToken || typeof expires !== 'number' || !(expires > now)) {
    throw new TransportError({
      code: 'CredentialUnavailable',
      message: `The credential gave no token for ${scope} that is good now. Sign in again, or give a credential that can.`,
      mayHaveApplied: false,
    })
  }
  // A token of less than ten minutes would otherwise be renewed all the time.
  const latest = Math.max(expires - RENEWED_BEFORE_END, now + (expires - now) / 2)
  return { token, renewAt: refreshAfterTimestamp ?? latest, expires }
}

async function ask(request: AccessTokenRequest): Promise<AccessToken | null> {
  const { credential, scope, tenantId } = request
  try {
    return await credential.getToken(scope, tenantId === undefined ? {} : { tenantId })
  } catch (cause) {
    throw new TransportError({
      code: 'CredentialUnavailable',
      message: `The credential gave no token for ${scope}; the cause says why. Nothing was sent.`,
      cause,
      mayHaveApplied: false,
    })
  }
}

/** What the hosts of a sovereign cloud end with, and its own audiences too. */
const SOVEREIGN: readonly (readonly [host: RegExp, domain: string])[] = [
  [/\.(?:chinacloudapi|azure)\.cn$/, 'cn'],
  [/\.(?:usgovcloudapi\.net|azure\.us)$/, 'us'],
]

/**
 * The scope of the tokens that an account accepts: storage and Cosmos DB have one each, in each
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
