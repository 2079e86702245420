import type { Dispatcher, Pool } from 'undici'
import { restInputError } from '../errors/codes.ts'
import { type ConnectionSettings, type Dispatchers, IDLE_TIMEOUT } from './dispatcher-transport.ts'
import type { UndiciDispatcher } from './exchange.ts'
import type { HttpRequest } from './transport.ts'
import { closedErrorOf } from './transport-errors.ts'
import { mayNeedProxy, openProxyAgent, type PoolClass, type ProxyChoice } from './undici-proxy.ts'

/** A load balancer in Azure forgets an idle connection after four minutes. */
const LONGEST_IDLE_TIMEOUT = 230_000

/** The connection pools of undici: one for each host, or the agent of a proxy for all. */
export class UndiciPools implements Dispatchers {
  readonly #proxy: ProxyChoice | undefined
  readonly #options: Pool.Options
  readonly #pools = new Map<string, Dispatcher>()
  #proxyAgent: Promise<Dispatcher> | undefined
  #isClosed = false

  /**
   * @param settings - how to connect
   * @param proxy - the proxy to use
   */
  constructor(settings: ConnectionSettings, proxy?: ProxyChoice | undefined) {
    this.#proxy = proxy
    this.#options = poolOptionsOf(settings)
  }

  dispatcherOf(request: HttpRequest): UndiciDispatcher | Promise<UndiciDispatcher> {
    return this.#pools.get(request.origin) ?? this.#open(request)
  }

  async #open(request: HttpRequest): Promise<Dispatcher> {
    const { origin } = request
    const Pool = await loadUndiciPool()
    const agent = mayNeedProxy(origin, this.#proxy) ? await this.#agent(Pool) : undefined
    if (this.#isClosed) throw closedErrorOf(request, false)
    const pool = this.#pools.get(origin) ?? agent ?? new Pool(origin, this.#options)
    this.#pools.set(origin, pool)
    return pool
  }

  #agent(Pool: PoolClass): Promise<Dispatcher> {
    this.#proxyAgent ??= openProxyAgent(this.#proxy, Pool, this.#options)
    return this.#proxyAgent
  }

  async close(): Promise<void> {
    await this.#end((pool) => pool.close())
  }

  async destroy(): Promise<void> {
    await this.#end((pool) => pool.destroy())
  }

  async #end(how: (pool: Dispatcher) => Promise<void>): Promise<void> {
    this.#isClosed = true
    await Promise.all(Array.from(new Set(this.#pools.values()), how))
  }
}

function poolOptionsOf({ connections, connectTimeout }: ConnectionSettings): Pool.Options {
  return {
    connections,
    connect: { timeout: connectTimeout },
    keepAliveTimeout: IDLE_TIMEOUT,
    keepAliveMaxTimeout: LONGEST_IDLE_TIMEOUT,
    // One timer covers the whole attempt; these would be two more per request.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  }
}

// @ts-expect-error undici publishes no types for its inner modules
const importPool = (): Promise<{ default: PoolClass }> => import('undici/lib/dispatcher/pool.js')

/**
 * Makes a loader of undici's connection pool, which caches what it has loaded.
 *
 * @param load - imports the module
 */
export function poolLoader(load: typeof importPool = importPool): () => Promise<PoolClass> {
  let poolClass: PoolClass | undefined
  return async () => {
    try {
      poolClass ??= (await load()).default
      return poolClass
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
}

/**
 * Loads undici's connection pool without the rest of undici: `fetch`, caches and WebSocket would triple
 * the cost. It is the very class that undici exports.
 *
 * It is loaded when the first connection is needed, so that programs with another transport and the
 * embedded service start without it.
 *
 * @throws InputError (`MissingDependency`) when undici is not installed or was left out of a bundle. It is
 * never retried.
 */
export const loadUndiciPool: () => Promise<PoolClass> = /* @__PURE__ */ poolLoader()
