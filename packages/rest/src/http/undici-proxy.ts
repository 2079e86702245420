import process from 'node:process'
import type { Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { restInputError } from '../errors/codes.ts'

/** The class that undici exports, which makes pools. */
export type PoolClass = typeof Pool

/**
 * Which proxy carries requests: the one of the environment (`HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in
 * upper or lower case), the one of a URL, or `false` for none.
 */
export type ProxyChoice = 'environment' | `http://${string}` | `https://${string}` | false

const LOOPBACK = /^https?:\/\/(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)(?::|$)/

/**
 * Rejects a proxy that is neither a URL nor a known word.
 *
 * @param proxy - the caller's choice
 * @throws `InputError` (`InvalidOptionValue`), without the URL, which may contain a password
 */
export function checkProxy(proxy: unknown): void {
  if (proxy === undefined || proxy === 'environment' || proxy === false) return
  if (typeof proxy === 'string' && /^https?:/.test(proxy) && URL.canParse(proxy)) return
  throw restInputError({
    code: 'InvalidOptionValue',
    message:
      "proxy of undiciTransport must be 'environment', false, or a URL such as 'http://proxy.contoso.com:3128'.",
  })
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

type ProxyAgentClass = typeof EnvHttpProxyAgent
type Connect = Dispatcher['connect']

const importAgent = (): Promise<{ default: ProxyAgentClass }> =>
  // @ts-expect-error undici publishes no types for its inner modules
  import('undici/lib/dispatcher/env-http-proxy-agent.js')
// @ts-expect-error undici publishes no types for its inner modules
const importConnect = (): Promise<{ default: Connect }> => import('undici/lib/api/api-connect.js')

/**
 * Loads undici's agent for proxies, which few programs need, and makes one.
 *
 * @param proxy - the caller's choice
 * @param Pool - undici's connection pool
 * @param options - the options of its connections
 */
export async function openProxyAgent(
  proxy: ProxyChoice | undefined,
  Pool: PoolClass,
  options: Pool.Options,
): Promise<Dispatcher> {
  const [{ default: ProxyAgent }, { default: connect }] = await Promise.all([
    importAgent(),
    importConnect(),
  ])
  // All of undici gives its pools this method; the inner module of the pool does not.
  const clientFactory = (origin: URL, poolOptions: object): Dispatcher =>
    Object.assign(new Pool(origin, poolOptions), { connect })
  if (typeof proxy !== 'string' || proxy === 'environment') {
    return new ProxyAgent({ ...options, ...proxiesOf(process.env), clientFactory })
  }
  const everything = { httpProxy: proxy, httpsProxy: proxy, noProxy: '' }
  return new ProxyAgent({ ...options, ...everything, clientFactory })
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
  if (/^(?:https?|socks5?):/i.test(url) && URL.canParse(url)) return url
  throw restInputError({
    code: 'InvalidEnvironment',
    message: `The variable ${variable} is not the URL of a proxy, such as http://proxy.contoso.com:3128. Correct it, or pass the transport undiciTransport({ proxy: false }).`,
  })
}
