import type { HttpRequest } from '../http/transport.ts'

/**
 * The two Shared Key schemes of the Table service. Both prove knowledge of the account key;
 * `SharedKeyLite` signs the date and the resource only.
 */
export type SharedKeyScheme = 'SharedKey' | 'SharedKeyLite'

/**
 * Builds the text that a Shared Key signature covers. The Table service signs no `x-ms-` headers.
 *
 * @param scheme - the scheme
 * @param request - the request as it is sent
 * @param account - the account's name, without `-secondary`
 * @param date - the value of `x-ms-date`, or of `Date` without `x-ms-date`
 * @see https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
 */
export function stringToSign(
  scheme: SharedKeyScheme,
  request: HttpRequest,
  account: string,
  date: string,
): string {
  const resource = canonicalizedResource(account, request.path, request.query)
  if (scheme === 'SharedKeyLite') return `${date}\n${resource}`
  const md5 = request.headers['content-md5'] ?? ''
  const type = request.headers['content-type'] ?? ''
  return `${request.method}\n${md5}\n${type}\n${date}\n${resource}`
}

/**
 * Builds the CanonicalizedResource of a Table service request: the account, the path exactly as it is
 * sent, and the `comp` parameter, if there is one. No other parameter is signed.
 *
 * A path-style endpoint has the account in its path, too, so the account appears twice.
 *
 * @param account - the account's name, without `-secondary`
 * @param path - the percent-encoded path; begins with `/`
 * @param query - the percent-encoded query without its `?`
 * @see https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
 *
 * @example
 * ```ts
 * canonicalizedResource('contoso', '/people', 'comp=acl&timeout=10') // '/contoso/people?comp=acl'
 * ```
 */
export function canonicalizedResource(account: string, path: string, query: string): string {
  const resource = `/${account}${path}`
  if (!query.includes('comp=')) return resource
  const component = query.split('&').find((pair) => pair.startsWith('comp='))
  return component === undefined ? resource : `${resource}?${component}`
}

let cachedSecond = Number.NaN
let cachedText = ''

/**
 * Prints a moment as HTTP and its signatures write it: `Tue, 21 Sep 2021 01:06:13 GMT`.
 *
 * Caches the text for its second, because many requests are signed within one.
 *
 * @param now - milliseconds since 1970, UTC
 */
export function printHttpDate(now: number): string {
  const second = Math.floor(now / 1000)
  if (second !== cachedSecond) {
    cachedText = new Date(now).toUTCString()
    cachedSecond = second
  }
  return cachedText
}
