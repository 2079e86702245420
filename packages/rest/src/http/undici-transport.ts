import { restInputError } from '../errors/codes.ts'
import { checkOptions, checkWholeNumber, type OptionNames } from '../options/check-options.ts'
import {
  DEFAULT_CONNECTION_SETTINGS,
  type Dispatchers,
  dispatcherTransport,
} from './dispatcher-transport.ts'
import type { UndiciDispatcher } from './exchange.ts'
import type { Transport } from './transport.ts'
import { UndiciPools } from './undici-pools.ts'
import { checkProxy, type ProxyChoice } from './undici-proxy.ts'

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
   * `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. Loopback addresses use a proxy only by its URL.
   *
   * @defaultValue `'environment'`
   */
  readonly proxy?: ProxyChoice | undefined
}

const OPTION_NAMES: OptionNames<UndiciTransportOptions> = {
  connectTimeout: true,
  connections: true,
  dispatcher: true,
  proxy: true,
}

/**
 * Makes a Transport of undici, with a pool of kept-alive connections for each host. On Node, services without a
 * transport use it too, as soon as they send many requests.
 *
 * It uses the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name. It never follows redirects, and
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
  checkOptions(options, OPTION_NAMES, 'undiciTransport')
  checkDispatcher(options.dispatcher)
  checkProxy(options.proxy)
  const {
    connections = DEFAULT_CONNECTION_SETTINGS.connections,
    connectTimeout = DEFAULT_CONNECTION_SETTINGS.connectTimeout,
    dispatcher,
    proxy,
  } = options
  const settings = {
    connections: checkWholeNumber(connections, 'connections', 'undiciTransport'),
    connectTimeout: checkWholeNumber(connectTimeout, 'connectTimeout', 'undiciTransport'),
  }
  return dispatcherTransport(
    dispatcher === undefined ? new UndiciPools(settings, proxy) : onlyBy(dispatcher),
  )
}

/** Sends everything by a dispatcher of the caller, who closes it. */
function onlyBy(dispatcher: UndiciDispatcher): Dispatchers {
  return { dispatcherOf: () => dispatcher, close: async () => {}, destroy: async () => {} }
}

function checkDispatcher(dispatcher: UndiciDispatcher | undefined): void {
  if (dispatcher === undefined || typeof dispatcher?.dispatch === 'function') return
  throw restInputError({
    code: 'InvalidOptionValue',
    message: 'dispatcher of undiciTransport must be an undici Dispatcher, such as a ProxyAgent.',
  })
}
