import type { Dispatcher, Pool } from 'undici'
import { restInputError } from '../errors/codes.ts'
import { proxyError } from './connection-failures.ts'
import {
  DEFAULT_CONNECTION_SETTINGS,
  type Dispatchers,
  IDLE_TIMEOUT,
} from './dispatcher-transport.ts'
import type { UndiciDispatcher } from './exchange.ts'
import { HostConnections } from './host-connections.ts'
import type { SocketSettings } from './http-dispatcher.ts'
import type { HttpRequest } from './transport.ts'
import { closedErrorOf } from './transport-errors.ts'
import type { UndiciParts } from './undici-parts.ts'
import { type ProxyChoice, type ProxyServer, proxyOf, proxyText } from './undici-proxy.ts'

/** A load balancer in Azure forgets an idle connection after four minutes. */
const LONGEST_IDLE_TIMEOUT = 230_000

/** The connections of undici to each host: a pool, or an agent of a proxy. */
export class UndiciPools implements Dispatchers {
  readonly #proxy: ProxyChoice | undefined
  readonly #options: Pool.Options
  readonly #pools: HostConnections<Dispatcher>
  #isClosed = false

  /**
   * @param settings - how to connect
   * @param proxy - the proxy to use
   * @param now - returns milliseconds since any moment, by a clock that is never set
   */
  constructor(
    settings: SocketSettings,
    proxy?: ProxyChoice | undefined,
    now?: (() => number) | undefined,
  ) {
    this.#proxy = proxy
    this.#options = poolOptionsOf(settings)
    this.#pools = new HostConnections(now)
  }

  dispatcherOf(request: HttpRequest): UndiciDispatcher | Promise<UndiciDispatcher> {
    return this.#pools.get(request.origin) ?? this.#open(request)
  }

  async #open(request: HttpRequest): Promise<Dispatcher> {
    const { origin } = request
    const undici = await loadUndici()
    if (this.#isClosed) throw closedErrorOf(request, false)
    const opened = this.#pools.get(origin)
    if (opened !== undefined) return opened
    const proxy = proxyOf(origin, this.#proxy)
    const pool =
      proxy === undefined ? new undici.Pool(origin, this.#options) : this.#agent(undici, proxy)
    return this.#pools.add(origin, pool)
  }

  #agent({ EnvHttpProxyAgent, Pool, errors }: UndiciParts, proxy: ProxyServer): Dispatcher {
    const { url, variable } = proxy
    return new EnvHttpProxyAgent({
      ...this.#options,
      httpProxy: url,
      httpsProxy: url,
      // A proxy of the caller's carries everything.
      ...(variable === undefined && { noProxy: '' }),
      clientFactory: (origin, options) =>
        reportingTunnels(new Pool(origin, options), proxy, errors),
    })
  }

  renew(origin: string): void {
    this.#pools.renew(origin)
  }

  async close(): Promise<void> {
    await this.#end((pool) => pool.close())
  }

  async destroy(): Promise<void> {
    await this.#end((pool) => pool.destroy())
  }

  async #end(how: (pool: Dispatcher) => Promise<void>): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#pools.all().map(how))
  }
}

/**
 * Returns the pool of a proxy, whose errors say so. When the proxy closes a connection that asked for a tunnel, undici would
 * ask again without end.
 */
function reportingTunnels(
  pool: Pool,
  proxy: ProxyServer,
  { RequestAbortedError, SocketError }: UndiciParts['errors'],
): Pool {
  const connect: (this: Pool, request: Tunnel) => Promise<Dispatcher.ConnectData> = pool.connect
  const tunnel = async (request: Tunnel): Promise<Dispatcher.ConnectData> => {
    let data: Dispatcher.ConnectData
    try {
      data = await connect.call(pool, request)
    } catch (error) {
      const isClosed = error instanceof SocketError
      throw proxyError(
        proxyText(proxy),
        isClosed ? new RequestAbortedError('The proxy closed the connection.') : (error as Error),
      )
    }
    if (data.statusCode === 200) return data
    data.socket.on('error', () => {}).destroy()
    throw proxyError(proxyText(proxy), data.statusCode)
  }
  return Object.assign(pool, { connect: tunnel })
}

type Tunnel = Dispatcher.ConnectOptions

function poolOptionsOf({ connections, connectTimeout, lookup }: SocketSettings): Pool.Options {
  return {
    connections,
    connect: { timeout: connectTimeout, ...(lookup && { lookup }) },
    keepAliveTimeout: IDLE_TIMEOUT,
    keepAliveMaxTimeout: LONGEST_IDLE_TIMEOUT,
    // One timer covers the whole attempt; these would be two more per request.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  }
}

/**
 * Loads undici, which costs a program that sends few requests more than all of them.
 *
 * @param load - imports it
 * @throws InputError (`MissingDependency`) when undici is not installed or was left out of a bundle. It is
 * never retried.
 */
export async function loadUndici(
  load: () => Promise<UndiciParts> = importParts,
): Promise<UndiciParts> {
  try {
    return await load()
  } catch (cause) {
    throw restInputError({
      code: 'MissingDependency',
      message:
        'undici, which sends requests on Node, could not be loaded. Nothing was sent. Install it ' +
        'beside @rowkey/rest and let the bundler include it, or pass `transport: fetchTransport()`.',
      cause,
    })
  }
}

async function importParts(): Promise<UndiciParts> {
  return (await import('./undici-parts.ts')).undiciParts
}

/**
 * Loads undici, and makes its pools with the default settings.
 *
 * @throws InputError (`MissingDependency`) as {@link loadUndici} does
 */
export async function defaultPools(): Promise<UndiciPools> {
  await loadUndici()
  return new UndiciPools(DEFAULT_CONNECTION_SETTINGS)
}
