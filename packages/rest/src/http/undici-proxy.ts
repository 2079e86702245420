import { type Rule, rule } from '@rowkey/odata'
import { restInputError } from '../errors/codes.ts'

/**
 * Which proxy carries requests: the one of the environment (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in
 * upper or lower case), the one of a URL, or `false` for none.
 */
export type ProxyChoice = 'environment' | `http://${string}` | `https://${string}` | false

const LOOPBACK = /^https?:\/\/(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)(?::|$)/

/** The rule of a {@link ProxyChoice}. Messages leave the URL out, which may contain a password. */
export const proxyRule: Rule = rule(
  "'environment', false, or a URL such as 'http://proxy.contoso.com:3128'",
  (proxy) =>
    proxy === 'environment' ||
    proxy === false ||
    (typeof proxy === 'string' && /^https?:/.test(proxy) && isUrl(proxy)),
)

/** undici decodes the user and the password only when it sends a request. */
function isUrl(text: string): boolean {
  try {
    const { username, password } = new URL(text)
    return decodeURIComponent(`${username}:${password}`) !== ''
  } catch {
    return false
  }
}

/** A proxy that carries requests. */
export interface ProxyServer {
  /** Its URL, which may contain a password. */
  readonly url: string
  /** The variable of the environment that names it; `undefined` when the caller does. */
  readonly variable: string | undefined
}

/** The variables that name the proxy of a scheme, the first one that is set. */
const VARIABLES: Readonly<Record<'http' | 'https', readonly string[]>> = {
  http: ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
  https: ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY', 'http_proxy', 'HTTP_PROXY'],
}

/**
 * Returns the proxy of an origin, unless `NO_PROXY` names its host. A loopback address uses a proxy only when the caller
 * gives its URL.
 *
 * @param origin - scheme, host and port of the service
 * @param choice - the caller's choice
 * @param environment - the variables of the process
 * @returns `undefined` without a proxy
 * @throws `InputError` (`InvalidEnvironment`) for a variable that is not the URL of a proxy
 */
export function proxyOf(
  origin: string,
  choice: ProxyChoice = 'environment',
  environment: NodeJS.ProcessEnv = process.env,
): ProxyServer | undefined {
  if (choice === false) return undefined
  if (choice !== 'environment') return { url: choice, variable: undefined }
  if (LOOPBACK.test(origin)) return undefined
  const names = VARIABLES[origin.startsWith('https:') ? 'https' : 'http']
  const variable = names.find((name) => environment[name] !== undefined)
  const text = variable === undefined ? undefined : environment[variable]
  return variable && text ? { url: proxyUrl(variable, text), variable } : undefined
}

/** Reads a variable as curl does: `proxy.contoso.com:3128` means http. undici resolves names at a SOCKS proxy, as `socks5h` asks. */
function proxyUrl(variable: string, text: string): string {
  const url = text.includes('://') ? text.replace(/^socks5h:/i, 'socks5:') : `http://${text}`
  if (/^(?:https?|socks5?):/i.test(url) && isUrl(url)) return url
  throw restInputError({
    code: 'InvalidEnvironment',
    message: `The variable ${variable} is not the URL of a proxy that works here, such as http://proxy.contoso.com:3128 or socks5://proxy.contoso.com:1080. Correct it, or pass the transport undiciTransport({ proxy: false }).`,
  })
}

/** Names a proxy without its password, and where it is named: `the proxy http://proxy.contoso.com:3128 of HTTPS_PROXY`. */
export function proxyText({ url, variable }: ProxyServer): string {
  const { protocol, host } = new URL(url)
  return `the proxy ${protocol}//${host}${variable === undefined ? '' : ` of ${variable}`}`
}
