import type { Dispatcher, Pool } from 'undici'
import { restInputError } from '../errors/codes.ts'
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
import { mayNeedProxy, type ProxyChoice, proxyOptions } from './undici-proxy.ts'

type Undici = typeof import('undici')

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
    const pool = mayNeedProxy(origin, this.#proxy)
      ? this.#agent(undici)
      : new undici.Pool(origin, this.#options)
    return this.#pools.add(origin, pool)
  }

  #agent({ EnvHttpProxyAgent, Pool, errors }: Undici): Dispatcher {
    return new EnvHttpProxyAgent({
      ...this.#options,
      ...proxyOptions(this.#proxy),
      clientFactory: (origin, options) => endingTunnels(new Pool(origin, options), errors),
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

/** Returns the pool of a proxy. When the proxy closes a connection that asked for a tunnel, undici would ask again without end. */
function endingTunnels(pool: Pool, { RequestAbortedError, SocketError }: Undici['errors']): Pool {
  const connect: (this: Pool, request: Tunnel) => Promise<Dispatcher.ConnectData> = pool.connect
  return Object.assign(pool, {
    connect: (request: Tunnel) =>
      connect.call(pool, request).catch((error: unknown) => {
        if (!(error instanceof SocketError)) throw error
        throw new RequestAbortedError('The proxy closed the connection.')
      }),
  })
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
  load: () => Promise<Undici> = () => import('undici'),
): Promise<Undici> {
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

/**
 * Loads undici, and makes its pools with the default settings.
 *
 * @throws InputError (`MissingDependency`) as {@link loadUndici} does
 */
export async function defaultPools(): Promise<UndiciPools> {
  await loadUndici()
  return new UndiciPools(DEFAULT_CONNECTION_SETTINGS)
}
