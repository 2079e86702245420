import { type Rule, rule } from '@rowkey/odata'
import type { EnvHttpProxyAgent } from 'undici'
import { restInputError } from '../errors/codes.ts'

/**
 * Which proxy carries requests: the one of the environment (`HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in
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

/**
 * Tells whether requests to an origin may need a proxy. A loopback address uses a proxy only when the caller
 * gives its URL.
 *
 * @param origin - scheme, host and port of the service
 * @param proxy - the caller's choice
 * @param environment - the variables of the process
 */
export function mayNeedProxy(
  origin: string,
  proxy: ProxyChoice = 'environment',
  environment: NodeJS.ProcessEnv = process.env,
): boolean {
  if (proxy !== 'environment') return proxy !== false
  if (LOOPBACK.test(origin)) return false
  const { https_proxy, HTTPS_PROXY, http_proxy, HTTP_PROXY } = environment
  return Boolean(https_proxy ?? HTTPS_PROXY ?? http_proxy ?? HTTP_PROXY)
}

/**
 * Returns the proxies for an `EnvHttpProxyAgent` of undici, which otherwise reads those of the environment.
 *
 * @param proxy - the caller's choice
 * @throws `InputError` (`InvalidEnvironment`) for a variable that is not a URL
 */
export function proxyOptions(proxy: ProxyChoice | undefined): EnvHttpProxyAgent.Options {
  if (typeof proxy !== 'string' || proxy === 'environment') return proxiesOf(process.env)
  return { httpProxy: proxy, httpsProxy: proxy, noProxy: '' }
}

/** Reads the proxies of the environment as curl does: `proxy.contoso.com:3128` means http. */
function proxiesOf({ https_proxy, HTTPS_PROXY, http_proxy, HTTP_PROXY }: NodeJS.ProcessEnv): {
  readonly httpsProxy?: string
  readonly httpProxy?: string
} {
  const https = https_proxy ?? HTTPS_PROXY
  const http = http_proxy ?? HTTP_PROXY
  return {
    ...(https && { httpsProxy: proxyUrl('HTTPS_PROXY', https) }),
    ...(http && { httpProxy: proxyUrl('HTTP_PROXY', http) }),
  }
}

function proxyUrl(variable: string, text: string): string {
  const url = text.includes('://') ? text : `http://${text}`
  if (/^(?:https?|socks5?):/i.test(url) && isUrl(url)) return url
  throw restInputError({
    code: 'InvalidEnvironment',
    message: `The variable ${variable} is not the URL of a proxy, such as http://proxy.contoso.com:3128. Correct it, or pass the transport undiciTransport({ proxy: false }).`,
  })
}
