/**
 * The CanonicalizedResource of a Table service request: the account, the path exactly as it is sent,
 * and the `comp` parameter when there is one. No other parameter is ever signed.
 *
 * A path-style endpoint has the account in its path too, so there it stands twice.
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
