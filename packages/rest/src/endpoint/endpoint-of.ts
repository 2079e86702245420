import { restInputError } from '../errors/codes.ts'

import { checkOptions } from '../options/check-options.ts'
import {
  ACCOUNT_NAME_RULE,
  type Endpoint,
  type Flavour,
  isAccountName,
  type ServiceLocation,
} from './endpoint.ts'

/** What {@link endpointOf} cannot always see in the URL. */
export interface EndpointOptions {
  /**
   * The account's name.
   *
   * @defaultValue the first label of a host such as `contoso.table.core.windows.net`, otherwise the
   * first segment of the path
   */
  readonly account?: string | undefined
  /**
   * Which service stands behind the endpoint.
   *
   * @defaultValue `'cosmos'` for the hosts of Cosmos DB, otherwise `'storage'`
   */
  readonly flavour?: Flavour | undefined
  /**
   * The URL of the account's copy in a second region, which answers reads.
   *
   * @defaultValue the same URL with `-secondary` behind the account's name, when that stands first in
   * the host or last in the path; none for Cosmos DB, and none behind a domain of one's own
   */
  readonly secondary?: string | undefined
}

const OPTION_NAMES = ['account', 'flavour', 'secondary'] as const
const COSMOS_HOST = /\.table\.cosmos(?:db)?\./

/**
 * Takes the URL of an account's table service apart.
 *
 * Host style has the account in the host's name (`https://contoso.table.core.windows.net`), path
 * style as the first segment of the path (`http://127.0.0.1:10002/devstoreaccount1`).
 *
 * @param url - an http or https URL without query
 * @param options - what the URL does not show
 * @throws {@link InputError} (`InvalidEndpoint`) when the URL cannot be one of the Table service
 *
 * @example
 * ```ts
 * endpointOf('https://contoso.table.core.windows.net').account // 'contoso'
 * ```
 */
export function endpointOf(url: string, options: EndpointOptions = {}): Endpoint {
  checkOptions(options, OPTION_NAMES, 'endpointOf')
  const parsed = parseUrl(url)
  const basePath = withoutTrailingSlashes(parsed.pathname)
  const given = options.account ?? accountOf(parsed.hostname, basePath)
  const account = checkAccount(given, parsed.origin)
  const flavour = checkFlavour(options.flavour ?? flavourOf(parsed.hostname))
  const computed = flavour === 'cosmos' ? undefined : secondaryOf(parsed, account)
  const secondary = options.secondary === undefined ? computed : locationOf(options.secondary)
  const endpoint = { origin: parsed.origin, basePath, account, flavour }
  return Object.freeze(secondary === undefined ? endpoint : { ...endpoint, secondary })
}

function locationOf(url: string): ServiceLocation {
  const { origin, pathname } = parseUrl(url)
  return Object.freeze({ origin, basePath: withoutTrailingSlashes(pathname) })
}

function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) {
    throw restInputError({
      code: 'InvalidEndpoint',
      message: 'The endpoint is not a URL that begins with http:// or https://.',
    })
  }
  // Both may hold a secret, so neither is shown.
  if (parsed.search !== '' || parsed.hash !== '' || parsed.username !== '' || parsed.password) {
    throw restInputError({
      code: 'InvalidEndpoint',
      message: `The endpoint ${parsed.origin} must have no user, query or fragment. Pass a shared access signature as the credential.`,
    })
  }
  return parsed
}

function accountOf(host: string, basePath: string): string | undefined {
  const account = host.includes('.table.') ? host.split('.', 1)[0] : basePath.split('/')[1]
  return account?.endsWith(SECONDARY) ? account.slice(0, -SECONDARY.length) : account
}

function checkAccount(account: string | undefined, origin: string): string {
  if (isAccountName(account)) return account
  const found = account === undefined ? 'does not show its account' : 'does not name its account'
  throw restInputError({
    code: 'InvalidEndpoint',
    message: `The endpoint at ${origin} ${found}: ${ACCOUNT_NAME_RULE}, and stands first in the host (<account>.table.…) or in the path. Name it in the options when it is in neither.`,
  })
}

function flavourOf(host: string): Flavour {
  return COSMOS_HOST.test(host) ? 'cosmos' : 'storage'
}

/**
 * Refuses what is no flavour.
 *
 * @param flavour - what a caller gave
 * @throws {@link InputError} (`InvalidOptionValue`)
 */
export function checkFlavour(flavour: unknown): Flavour {
  if (flavour === 'storage' || flavour === 'cosmos') return flavour
  throw restInputError({
    code: 'InvalidOptionValue',
    message: "The flavour must be 'storage' or 'cosmos'.",
  })
}

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

/**
 * A path as the start of every other: `/devstoreaccount1/` becomes `/devstoreaccount1`, and `/`
 * nothing.
 *
 * @param path - the path of a URL
 */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

const LOOPBACK_HOST =
  /^http:\/\/(?:localhost|[^/:]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/

/**
 * Refuses plain http to another machine: everything in the tables, and a SAS too, could be read on
 * the way.
 *
 * @param endpoint - where requests will go
 * @param allowInsecure - true when the caller asked for it
 * @throws {@link InputError} (`InsecureEndpoint`)
 */
export function checkSecureEndpoint(endpoint: Endpoint, allowInsecure: boolean): void {
  for (const { origin } of [endpoint, endpoint.secondary ?? endpoint]) {
    if (!allowInsecure) checkOrigin(origin)
  }
}

function checkOrigin(origin: string): void {
  if (origin.startsWith('https://') || LOOPBACK_HOST.test(origin)) return
  throw restInputError({
    code: 'InsecureEndpoint',
    message: `${origin} is plain http and not this machine: everything sent could be read on the way. Use https, or pass allowInsecure: true.`,
  })
}
