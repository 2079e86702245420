import { anything, declareOptions } from '@rowkey/odata'
import { restInputError } from '../errors/codes.ts'
import {
  ACCOUNT_NAME_RULE,
  type Endpoint,
  type Flavour,
  flavourRule,
  isAccountName,
  type ServiceLocation,
} from './endpoint.ts'

/** The options of {@link endpointOf}, for facts that the URL does not always show. */
export interface EndpointOptions {
  /**
   * The account's name.
   *
   * @defaultValue the first label of a host such as `contoso.table.core.windows.net`, otherwise the
   * first segment of the path
   */
  readonly account?: string | undefined
  /**
   * The kind of service.
   *
   * @defaultValue `'cosmos'` for the hosts of Cosmos DB, otherwise `'storage'`
   */
  readonly flavour?: Flavour | undefined
  /**
   * The URL of the account's copy in a second region, which serves reads.
   *
   * @defaultValue the same URL with `-secondary` after the account's name, when the name is first in the
   * host or last in the path. None for Cosmos DB and for custom domains
   */
  readonly secondary?: string | undefined
}

const endpointOptions = declareOptions<EndpointOptions>({
  account: anything,
  flavour: flavourRule,
  secondary: anything,
})

const COSMOS_HOST = /\.table\.cosmos(?:db)?\./

/**
 * Parses the URL of an account's table service.
 *
 * The account is in the host's name (host style, `https://contoso.table.core.windows.net`), or is the
 * first segment of the path (path style, `http://127.0.0.1:10002/devstoreaccount1`).
 *
 * @param url - an http or https URL without query
 * @param options - what the URL does not show
 * @throws `InputError` (`InvalidEndpoint`) when the URL cannot be one of the Table service
 *
 * @example
 * ```ts
 * endpointOf('https://contoso.table.core.windows.net').account // 'contoso'
 * ```
 */
export function endpointOf(url: string, options: EndpointOptions = {}): Endpoint {
  endpointOptions.check(options, 'endpointOf')
  const parsed = parseUrl(url)
  if (parsed.hostname.endsWith('.documents.azure.com')) throw forNoSql(parsed.hostname)
  const basePath = withoutTrailingSlashes(parsed.pathname)
  if (basePath !== '' && AZURE_HOST.test(parsed.hostname)) throw pathOnAzure(parsed.origin)
  const shown = accountOf(parsed.hostname, basePath)
  const account = checkAccount(options.account ?? shown, parsed.origin)
  // A URL shows the account in small letters.
  const isOther = account.toLowerCase() !== shown?.toLowerCase()
  if (isOther && AZURE_HOST.test(parsed.hostname)) throw otherAccount(account, parsed.origin)
  const flavour = options.flavour ?? flavourOf(parsed.hostname)
  const computed = flavour === 'cosmos' ? undefined : secondaryOf(parsed, account)
  const secondary = options.secondary === undefined ? computed : locationOf(options.secondary)
  const endpoint = { origin: parsed.origin, basePath, account, flavour }
  return Object.freeze(secondary === undefined ? endpoint : { ...endpoint, secondary })
}

function invalidEndpoint(message: string): Error {
  return restInputError({ code: 'InvalidEndpoint', message })
}

/** The hosts of accounts on Azure. An account of its own domain may be behind a path. */
const AZURE_HOST = /\.table\.core\./

function forNoSql(host: string): Error {
  const [account] = host.split('.', 1)
  return invalidEndpoint(
    `The endpoint on ${host} is for the NoSQL API of Cosmos DB. The one for Table is https://${account}.table.cosmos.azure.com, if the account has the Table API.`,
  )
}

function pathOnAzure(origin: string): Error {
  return invalidEndpoint(
    `The endpoint must not have a path after ${origin}. Give the URL of the account; calls name the table.`,
  )
}

function otherAccount(account: string, origin: string): Error {
  return invalidEndpoint(
    `The endpoint ${origin} is not one of the account ${account}. Use the endpoint and the key of one account.`,
  )
}

function locationOf(url: string): ServiceLocation {
  const { origin, pathname } = parseUrl(url)
  return Object.freeze({ origin, basePath: withoutTrailingSlashes(pathname) })
}

function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) {
    throw invalidEndpoint('The endpoint must be a URL that begins with http:// or https://.')
  }
  // A query and a fragment may contain a secret, so the message shows neither.
  if (parsed.search !== '' || parsed.hash !== '' || parsed.username !== '' || parsed.password) {
    throw invalidEndpoint(
      `The endpoint ${parsed.origin} must not have a user, a query or a fragment. Pass a shared access signature as the credential.`,
    )
  }
  return parsed
}

/** Follows the account's name where its copy in a second region is. */
const SECONDARY = '-secondary'

function accountOf(host: string, basePath: string): string | undefined {
  const account = host.includes('.table.') ? host.split('.', 1)[0] : basePath.split('/')[1]
  return account?.endsWith(SECONDARY) ? account.slice(0, -SECONDARY.length) : account
}

function checkAccount(account: string | undefined, origin: string): string {
  if (isAccountName(account)) return account
  throw invalidEndpoint(
    `The endpoint at ${origin} does not show its account: ${ACCOUNT_NAME_RULE}, and is first in the host (<account>.table.…) or in the path. If it is in neither, set the account option.`,
  )
}

function flavourOf(host: string): Flavour {
  return COSMOS_HOST.test(host) ? 'cosmos' : 'storage'
}

/** Follows the account's name in a host; accounts with DNS zones have theirs before `table`. */
const TABLE_HOST = /^(?:\.z\d+)?\.table\./

/**
 * Returns the URL of the account's copy in a second region. It has `-secondary` after the account's name,
 * which is first in the host or last in the path.
 *
 * @param url - the URL of the account's table service
 * @param account - the account's name
 * @returns `undefined` when the account is in neither, as with a custom domain, and when the URL is
 * that of the copy
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
 * Removes slashes at the end of a path: `/devstoreaccount1/` becomes `/devstoreaccount1`, and `/`
 * becomes empty.
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
 * Rejects plain http to another machine: anyone in between could read the data, and a SAS too.
 *
 * @param endpoint - where requests go
 * @param allowInsecure - whether the caller allows it
 * @throws `InputError` (`InsecureEndpoint`)
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
    message: `${origin} uses plain http to another machine, so anyone in between could read what is sent. Use https, or set allowInsecure: true.`,
  })
}
