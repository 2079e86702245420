import type { IncomingHttpHeaders } from 'node:http'

/**
 * Tells whether a request names the studio as its host. A page on the web can point its own name to this machine; its scripts
 * would then have the origin of the studio.
 *
 * @param headers - of the request
 * @param origins - where browsers reach the studio
 * @see https://developer.mozilla.org/docs/Web/Security/Attacks/DNS_rebinding
 */
export function hasOwnHost({ host }: IncomingHttpHeaders, origins: readonly URL[]): boolean {
  return origins.some((origin) => origin.host === host)
}

/**
 * Tells whether a request for data comes from the page of the studio, or from a program that is not a browser.
 *
 * @param headers - of a request that has its own host
 * @param origins - where browsers reach the studio
 */
export function isFromPage(
  { host, origin, ...headers }: IncomingHttpHeaders,
  origins: readonly URL[],
): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || origins.some((own) => own.host === host && own.origin === origin)
}

/** The headers of every response: the page loads and sends nothing but to the studio, and no other page shows it. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}
