import type { Dispatcher, Pool } from 'undici'
import { restInputError } from '../errors/codes.ts'
import {
  type ConnectionSettings,
  DEFAULT_CONNECTION_SETTINGS,
  type Dispatchers,
  IDLE_TIMEOUT,
} from './dispatcher-transport.ts'
import type { UndiciDispatcher } from './exchange.ts'
import type { HttpRequest } from './transport.ts'
import { closedErrorOf } from './transport-errors.ts'
import { mayNeedProxy, type ProxyChoice, proxyOptions } from './undici-proxy.ts'

type Undici = typeof import('undici')

/** A load balancer in Azure forgets an idle connection after four minutes. */
const LONGEST_IDLE_TIMEOUT = 230_000

/** The connection pools of undici: one for each host, or the agent of a proxy for all. */
export class UndiciPools implements Dispatchers {
  readonly #proxy: ProxyChoice | undefined
  readonly #options: Pool.Options
  readonly #pools = new Map<string, Dispatcher>()
  #proxyAgent: Dispatcher | undefined
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
    const { EnvHttpProxyAgent, Pool } = await loadUndici()
    if (this.#isClosed) throw closedErrorOf(request, false)
    const opened = this.#pools.get(origin)
    if (opened !== undefined) return opened
    const pool = mayNeedProxy(origin, this.#proxy)
      ? this.#agent(EnvHttpProxyAgent)
      : new Pool(origin, this.#options)
    this.#pools.set(origin, pool)
    return pool
  }

  #agent(ProxyAgent: Undici['EnvHttpProxyAgent']): Dispatcher {
    const options = { ...this.#options, ...proxyOptions(this.#proxy) }
    this.#proxyAgent ??= new ProxyAgent(options)
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
