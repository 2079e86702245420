import type { ServiceLocation } from '../endpoint.ts'
import { withoutTrailingSlashes } from './without-trailing-slashes.ts'

/** What stands behind an account's name where its copy in a second region answers. */
export const SECONDARY = '-secondary'

/** What follows the account's name in a host; accounts with DNS zones have theirs before `table`. */
const TABLE_HOST = /^(?:\.z\d+)?\.table\./

/**
 * Where the copy of an account answers: the same place with `-secondary` behind the account's name,
 * which stands first in the host or in the path.
 *
 * @param url - the URL of the account's table service
 * @param account - the account's name
 * @returns `undefined` when the account is in neither, as behind a domain of one's own, and when the
 * URL is the secondary's already
 * @see https://learn.microsoft.com/azure/storage/common/storage-redundancy
 */
export function secondaryOf(url: URL, account: string): ServiceLocation | undefined {
  const name = account.toLowerCase()
  const basePath = withoutTrailingSlashes(url.pathname)
  if (url.hostname.startsWith(name) && TABLE_HOST.test(url.hostname.slice(name.length))) {
    const origin = url.origin.replace(`//${name}.`, `//${name}${SECONDARY}.`)
    return Object.freeze({ origin, basePath })
  }
  if (!basePath.toLowerCase().endsWith(`/${name}`)) return undefined
  return Object.freeze({ origin: url.origin, basePath: `${basePath}${SECONDARY}` })
}
