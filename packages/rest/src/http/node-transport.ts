import {
  DEFAULT_CONNECTION_SETTINGS,
  type Dispatchers,
  dispatcherTransport,
} from './dispatcher-transport.ts'
import type { UndiciDispatcher } from './exchange.ts'
import { HostConnections } from './host-connections.ts'
import { HttpDispatcher, type SocketSettings } from './http-dispatcher.ts'
import type { HttpRequest, Transport } from './transport.ts'
import { defaultPools } from './undici-pools.ts'
import { proxyOf } from './undici-proxy.ts'

/** More requests, or more at once, are worth the time to load undici. */
const FEW_REQUESTS = 64
const FEW_AT_ONCE = 8

/**
 * Makes the default Transport of Node: `node:http` for the first requests, and undici for all others. Loading undici
 * costs as much CPU as it saves in six hundred requests, and a function that starts often sends few.
 *
 * It connects as `undiciTransport` does without options.
 *
 * @param loadPools - loads undici
 * @param settings - how `node:http` connects
 * @param now - returns milliseconds since any moment, by a clock that is never set
 */
export function nodeTransport(
  loadPools: () => Promise<Dispatchers> = defaultPools,
  settings: SocketSettings = DEFAULT_CONNECTION_SETTINGS,
  now?: () => number,
): Transport {
  return dispatcherTransport(new NodeDispatchers(loadPools, settings, now))
}

class NodeDispatchers implements Dispatchers {
  readonly #loadPools: () => Promise<Dispatchers>
  readonly #settings: SocketSettings
  readonly #first: HostConnections<HttpDispatcher>
  #requests = 0
  #isWithoutUndici = false
  #loading: Promise<Dispatchers> | undefined
  #pools: Dispatchers | undefined

  constructor(
    loadPools: () => Promise<Dispatchers>,
    settings: SocketSettings,
    now: (() => number) | undefined,
  ) {
    this.#loadPools = loadPools
    this.#settings = settings
    this.#first = new HostConnections(now)
  }

  dispatcherOf(request: HttpRequest): UndiciDispatcher | Promise<UndiciDispatcher> {
    if (this.#pools !== undefined) return this.#pools.dispatcherOf(request)
    const first = this.#first.get(request.origin) ?? this.#open(request.origin)
    // Only undici sends through proxies.
    if (first === undefined) return this.#undici().then((pools) => pools.dispatcherOf(request))
    this.#requests += 1
    const isBusy = this.#requests > FEW_REQUESTS || first.pending >= FEW_AT_ONCE
    // Without undici, node:http sends the other requests, too.
    if (isBusy && !this.#isWithoutUndici) this.#undici().catch(() => {})
    return first
  }

  #open(origin: string): HttpDispatcher | undefined {
    if (proxyOf(origin) !== undefined) return undefined
    // An import of both would cost programs of an emulator the time to load TLS.
    const { protocol } = new URL(origin)
    const http = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
    return this.#first.add(origin, new HttpDispatcher(origin, http, this.#settings))
  }

  renew(origin: string): void {
    this.#first.renew(origin)
    this.#pools?.renew(origin)
  }

  #undici(): Promise<Dispatchers> {
    this.#loading ??= this.#loadPools().then(
      (pools) => {
        this.#pools = pools
        void this.#closeFirst()
        return pools
      },
      (error: unknown) => {
        this.#isWithoutUndici = true
        this.#loading = undefined
        throw error
      },
    )
    return this.#loading
  }

  async close(): Promise<void> {
    this.#forgetLoading()
    await Promise.all([this.#closeFirst(), this.#pools?.close()])
  }

  async destroy(): Promise<void> {
    this.#forgetLoading()
    for (const first of this.#first.all()) first.destroy()
    await this.#pools?.destroy()
  }

  /** Pools that are loaded after the end must open nothing. */
  #forgetLoading(): void {
    if (this.#pools === undefined) this.#loading?.then((pools) => pools.close()).catch(() => {})
  }

  async #closeFirst(): Promise<void> {
    await Promise.all(this.#first.all().map((first) => first.close()))
  }
}
