import type { Endpoint } from '../endpoint.ts'

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
