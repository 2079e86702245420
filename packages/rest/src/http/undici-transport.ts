import { declareOptions, wholeNumber, withMethods } from '@rowkey/odata'
import {
  DEFAULT_CONNECTION_SETTINGS,
  type Dispatchers,
  dispatcherTransport,
} from './dispatcher-transport.ts'
import type { UndiciDispatcher } from './exchange.ts'
import type { Transport } from './transport.ts'
import { UndiciPools } from './undici-pools.ts'
import { type ProxyChoice, proxyRule } from './undici-proxy.ts'

/** The options of {@link undiciTransport}. */
export interface UndiciTransportOptions {
  /**
   * The most open sockets to one host. Further requests wait.
   *
   * @defaultValue `64`
   */
  readonly connections?: number | undefined
  /**
   * Milliseconds to connect, TLS included.
   *
   * @defaultValue `10_000`
   */
  readonly connectTimeout?: number | undefined
  /**
   * An undici Dispatcher to use, such as a MockAgent. It has its own connections; closing the transport
   * leaves it open.
   */
  readonly dispatcher?: UndiciDispatcher | undefined
  /**
   * The proxy to use: the URL of one, `false` for none, or `'environment'` for the variables
   * `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`. Loopback addresses use a proxy only by its URL.
   *
   * @defaultValue `'environment'`
   */
  readonly proxy?: ProxyChoice | undefined
}

const undiciOptions = declareOptions<UndiciTransportOptions>({
  connectTimeout: wholeNumber(),
  connections: wholeNumber(),
  dispatcher: withMethods('an undici Dispatcher, such as a ProxyAgent', 'dispatch'),
  proxy: proxyRule,
})

/**
 * Makes a Transport of undici, with a pool of kept-alive connections for each host. On Node, services without a
 * transport use it too, as soon as they send many requests.
 *
 * It uses the proxy that `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` name. It never follows redirects, and
 * rejects a response longer than 16 MiB.
 *
 * @param options - the connections to use
 * @throws `InputError` (`UnknownOption` or `InvalidOptionValue`)
 *
 * @example
 * ```ts
 * const transport = undiciTransport({ connections: 8 })
 * const service = tableService({ connectionString: process.env.TABLES!, transport })
 * ```
 */
export function undiciTransport(options: UndiciTransportOptions = {}): Transport {
  undiciOptions.check(options, 'undiciTransport')
  const { dispatcher, proxy } = options
  if (dispatcher !== undefined) return dispatcherTransport(onlyBy(dispatcher))
  const {
    connections = DEFAULT_CONNECTION_SETTINGS.connections,
    connectTimeout = DEFAULT_CONNECTION_SETTINGS.connectTimeout,
  } = options
  return dispatcherTransport(new UndiciPools({ connections, connectTimeout }, proxy))
}

/** Sends everything by a dispatcher of the caller, who closes it. */
function onlyBy(dispatcher: UndiciDispatcher): Dispatchers {
  return {
    dispatcherOf: () => dispatcher,
    renew() {},
    close: async () => {},
    destroy: async () => {},
  }
}
