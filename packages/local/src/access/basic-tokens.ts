import type { BearerCheck } from '../service/local-options.ts'

/** Who issues tokens in the clouds of Azure. */
const ISSUERS = [
  'https://sts.windows.net/',
  'https://sts.microsoftonline.de/',
  'https://sts.chinacloudapi.cn/',
  'https://sts.windows-ppe.net/',
  'https://login.microsoftonline.com/',
] as const

const STORAGE = /^https:\/\/storage\.azure\.com\/?$/
const TABLES =
  /^https:\/\/([a-z0-9]+)\.table\.(?:core\.(?:windows\.net|chinacloudapi\.cn|usgovcloudapi\.net|cloudapi\.de)|storage\.azure\.net)\/?$/

/**
 * Makes the check of bearer tokens that other emulators have: issuer, audience and times of a token must be right. Its
 * signature is not checked, so anyone can make a token that passes.
 *
 * @param now - milliseconds since 1970, UTC; `@defaultValue` the clock of the machine
 *
 * @example
 * ```ts
 * const local = localTableService({ bearer: basicTokenCheck() })
 * ```
 */
export function basicTokenCheck(now: () => number = Date.now): BearerCheck {
  return (token, { account }) => {
    const { iss, aud, nbf, exp } = claimsOf(token)
    const seconds = now() / 1000
    return (
      typeof iss === 'string' &&
      ISSUERS.some((issuer) => iss.startsWith(issuer)) &&
      isAudience(aud, account) &&
      typeof exp === 'number' &&
      exp > seconds &&
      (nbf === undefined || (typeof nbf === 'number' && nbf <= seconds))
    )
  }
}

function isAudience(aud: unknown, account: string): boolean {
  if (typeof aud !== 'string') return false
  return STORAGE.test(aud) || TABLES.exec(aud)?.[1] === account
}

interface Claims {
  readonly iss?: unknown
  readonly aud?: unknown
  readonly nbf?: unknown
  readonly exp?: unknown
}

function claimsOf(token: string): Claims {
  const [, claims, signature, more] = token.split('.')
  if (claims === undefined || signature === undefined || more !== undefined) return {}
  try {
    const bytes = atob(claims.replaceAll('-', '+').replaceAll('_', '/'))
    const text = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
