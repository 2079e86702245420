import { checkOptions } from '../check-options.ts'
import type { Endpoint, Flavour } from '../endpoint.ts'
import { EndpointError } from '../errors/endpoint-error.ts'
import { OptionValueError } from '../errors/option-value-error.ts'

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
}

const OPTION_NAMES = ['account', 'flavour'] as const
const COSMOS_HOST = /\.table\.cosmos(?:db)?\./
const SECONDARY = '-secondary'

/**
 * Takes the URL of an account's table service apart.
 *
 * Host style has the account in the host's name (`https://contoso.table.core.windows.net`), path
 * style as the first segment of the path (`http://127.0.0.1:10002/devstoreaccount1`).
 *
 * @param url - an http or https URL without query
 * @param options - what the URL does not show
 * @throws {@link EndpointError} when the URL cannot be one of the Table service
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
  return Object.freeze({
    origin: parsed.origin,
    basePath,
    account: options.account ?? accountOf(parsed.hostname, basePath),
    flavour: checkFlavour(options.flavour ?? flavourOf(parsed.hostname)),
  })
}

function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) {
    throw new EndpointError({
      message: 'The endpoint is not a URL that begins with http:// or https://.',
    })
  }
  // Both may hold a secret, so neither is shown.
  if (parsed.search !== '' || parsed.hash !== '' || parsed.username !== '' || parsed.password) {
    throw new EndpointError({
      message: `The endpoint ${parsed.origin} must have no user, query or fragment. Pass a shared access signature as the credential.`,
    })
  }
  return parsed
}

function accountOf(host: string, basePath: string): string {
  const segment = basePath.split('/')[1]
  const label = host.includes('.table.') ? host.split('.', 1)[0] : undefined
  const account = label ?? segment
  if (account === undefined || account === '') {
    throw new EndpointError({
      message: `The endpoint at ${host} does not show its account: neither <account>.table.… as its host nor the account as the first segment of its path. Name the account in the options.`,
    })
  }
  const name = decodeURIComponent(account)
  return name.endsWith(SECONDARY) ? name.slice(0, -SECONDARY.length) : name
}

function flavourOf(host: string): Flavour {
  return COSMOS_HOST.test(host) ? 'cosmos' : 'storage'
}

function checkFlavour(flavour: unknown): Flavour {
  if (flavour === 'storage' || flavour === 'cosmos') return flavour
  throw new OptionValueError({ message: "The flavour must be 'storage' or 'cosmos'." })
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}
