import { TransportError } from '../errors/transport-error.ts'
import { onAbort } from '../wait/on-abort.ts'
import { Exchange, type Settle, type UndiciDispatcher } from './exchange.ts'
import {
  type AttemptLimits,
  type CloseOptions,
  closeOptions,
  type HttpRequest,
  type HttpResponse,
  type Transport,
  withBody,
} from './transport.ts'
import { closedErrorOf, isUnavailable } from './transport-errors.ts'

/** How a transport connects. */
export interface ConnectionSettings {
  /** The most open sockets to one host. */
  readonly connections: number
  /** Milliseconds to connect, TLS included. */
  readonly connectTimeout: number
}

export const DEFAULT_CONNECTION_SETTINGS: ConnectionSettings = {
  connections: 64,
  connectTimeout: 10_000,
}
/** Milliseconds. Front ends drop idle connections; a write on a dropped connection would end in doubt. */
export const IDLE_TIMEOUT = 30_000

/** The connections of a transport. */
export interface Dispatchers {
  /** Returns what sends a request: at once, unless it must be loaded. */
  dispatcherOf(request: HttpRequest): UndiciDispatcher | Promise<UndiciDispatcher>
  /** Opens new connections to a host for later requests, because those that it has are of no use. */
  renew(origin: string): void
  /** Closes the connections as the requests on them end. Later requests open none. */
  close(): Promise<void>
  /** Closes the connections at once. Later requests open none. */
  destroy(): Promise<void>
}

/**
 * Makes the Transport of some connections.
 *
 * @param dispatchers - the connections, which the transport closes
 */
export function dispatcherTransport(dispatchers: Dispatchers): Transport {
  const ending = new AbortController()
  /** undici's pools never end a wait for requests in their queue once they are destroyed. */
  const ended = new Promise<void>((resolve) => void onAbort(ending.signal, resolve))
  let closing: Promise<void> | undefined

  const send = (request: HttpRequest, limits?: AttemptLimits): Promise<HttpResponse> => {
    if (closing !== undefined) return Promise.reject(closedErrorOf(request, false))
    let dispatcher: ReturnType<Dispatchers['dispatcherOf']>
    try {
      dispatcher = dispatchers.dispatcherOf(request)
    } catch (error) {
      return Promise.reject(error) // the origin is not a URL
    }
    if ('dispatch' in dispatcher) return exchange(request, limits, dispatcher)
    return dispatcher.then((loaded) => {
      if (closing !== undefined) throw closedErrorOf(request, false)
      return exchange(request, limits, loaded)
    })
  }

  /** Not within an exchange, whose body it would keep in memory. */
  const settleFor = (
    origin: string,
    resolve: Settle['resolve'],
    reject: Settle['reject'],
  ): Settle => ({
    closing: ending.signal,
    resolve(response) {
      if (isUnavailable(response.status)) dispatchers.renew(origin)
      resolve(response)
    },
    reject(error) {
      // What hangs may hang on its other connections, too.
      if (isTimeout(error)) dispatchers.renew(origin)
      reject(error)
    },
  })

  const exchange: Send = (request, limits, dispatcher) =>
    new Promise((resolve, reject) => {
      const settle = settleFor(request.origin, resolve, reject)
      new Exchange(withBody(request, undefined), limits, settle).start(dispatcher, request.body)
    })

  const close = async (options: CloseOptions = {}): Promise<void> => {
    closeOptions.check(options, 'close')
    if (options.drain) {
      closing ??= Promise.race([dispatchers.close(), ended])
    } else {
      ending.abort()
      closing = dispatchers.destroy()
    }
    await closing
  }

  return Object.assign(send, { close })
}

function isTimeout(error: unknown): boolean {
  return error instanceof TransportError && error.code === 'AttemptTimeout'
}

/** Makes one attempt over a connection of a dispatcher. */
type Send = (
  request: HttpRequest,
  limits: AttemptLimits | undefined,
  dispatcher: UndiciDispatcher,
) => Promise<HttpResponse>
