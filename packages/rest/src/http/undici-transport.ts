import type { Dispatcher, Pool } from 'undici'
import { restInputError } from '../errors/codes.ts'
import { checkOptions, checkWholeNumber, type OptionNames } from '../options/check-options.ts'
import type {
  AttemptLimits,
  CloseOptions,
  HttpRequest,
  HttpResponse,
  Transport,
} from './transport.ts'
import { closedErrorOf } from './transport-errors.ts'
import { type UndiciDispatcher, UndiciExchange } from './undici-exchange.ts'
import {
  checkProxy,
  mayNeedProxy,
  openProxyAgent,
  type PoolClass,
  type ProxyChoice,
} from './undici-proxy.ts'

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
const DEFAULT_CONNECTIONS = 64
const DEFAULT_CONNECT_TIMEOUT = 10_000
/** Front ends drop idle connections; a write on a dropped connection would end in doubt. */
const IDLE_TIMEOUT = 30_000
/** A load balancer in Azure forgets an idle connection after four minutes. */
const LONGEST_IDLE_TIMEOUT = 230_000

/**
 * Makes the Transport of Node: undici, with a pool of kept-alive connections for each host.
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
  const poolOptions = poolOptionsOf(options)
  const pools = new Map<string, Dispatcher>()
  let proxyAgent: Promise<Dispatcher> | undefined

  const ending = new AbortController()
  let closing: Promise<void> | undefined

  const openerOf = async (origin: string): Promise<() => Dispatcher> => {
    const Pool = await loadUndiciPool()
    if (mayNeedProxy(origin, options.proxy)) {
      proxyAgent ??= openProxyAgent(options.proxy, Pool, poolOptions)
      const agent = await proxyAgent
      return () => agent
    }
    return () => new Pool(origin, poolOptions)
  }

  const poolOf = async (request: HttpRequest): Promise<Dispatcher> => {
    const { origin } = request
    const open = await openerOf(origin)
    if (closing !== undefined) throw closedErrorOf(request, false)
    const pool = pools.get(origin) ?? open()
    pools.set(origin, pool)
    return pool
  }

  const send = (request: HttpRequest, limits?: AttemptLimits): Promise<HttpResponse> => {
    if (closing !== undefined) return Promise.reject(closedErrorOf(request, false))
    const dispatcher = options.dispatcher ?? pools.get(request.origin)
    if (dispatcher !== undefined) return exchange(request, limits, dispatcher)
    return poolOf(request).then((pool) => exchange(request, limits, pool))
  }

  const exchange: Exchange = (request, limits, dispatcher) =>
    new Promise((resolve, reject) => {
      const settle = { resolve, reject, closing: ending.signal }
      new UndiciExchange(request, limits, settle).start(dispatcher)
    })

  const close = ({ drain = false }: CloseOptions = {}): Promise<void> => {
    if (!drain) ending.abort()
    closing ??= closeAll(pools.values())
    return closing
  }

  return Object.assign(send, { close })
}

/** Makes one attempt over a connection of a dispatcher. */
type Exchange = (
  request: HttpRequest,
  limits: AttemptLimits | undefined,
  dispatcher: UndiciDispatcher,
) => Promise<HttpResponse>

async function closeAll(pools: Iterable<Dispatcher>): Promise<void> {
  await Promise.all(Array.from(new Set(pools), (pool) => pool.close()))
}

function poolOptionsOf(options: UndiciTransportOptions): Pool.Options {
  const { connections = DEFAULT_CONNECTIONS, connectTimeout = DEFAULT_CONNECT_TIMEOUT } = options
  return {
    connections: checkWholeNumber(connections, 'connections', 'undiciTransport'),
    connect: { timeout: checkWholeNumber(connectTimeout, 'connectTimeout', 'undiciTransport') },
    keepAliveTimeout: IDLE_TIMEOUT,
    keepAliveMaxTimeout: LONGEST_IDLE_TIMEOUT,
    // One timer covers the whole attempt; these would be two more per request.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  }
}

function checkDispatcher(dispatcher: UndiciDispatcher | undefined): void {
  if (dispatcher === undefined || typeof dispatcher?.dispatch === 'function') return
  throw restInputError({
    code: 'InvalidOptionValue',
    message: 'dispatcher of undiciTransport must be an undici Dispatcher, such as a ProxyAgent.',
  })
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
        code: 'PartNotLoaded',
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
 * @throws InputError (`PartNotLoaded`) when undici is not installed or was left out of a bundle. It is
 * never retried.
 */
export const loadUndiciPool: () => Promise<PoolClass> = /* @__PURE__ */ poolLoader()
