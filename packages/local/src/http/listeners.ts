import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { type HttpRequest, TransportError } from '@rowkey/rest'
import type { Delivery, DeliverySource } from '../delivery/delivery.ts'
import { ListenError } from '../errors/listen-error.ts'
import { Rejection } from '../rejection/rejection.ts'
import {
  type AllLimits,
  type ListenOptions,
  type ListenTls,
  listenLimits,
  listenOptions,
  withDefaults,
} from '../service/listen-options.ts'
import type { Pause } from '../service/local-options.ts'
import { checkCertificate } from './certificate.ts'
import { Exchanges } from './exchanges.ts'
import { checkHostName, type HostNames, isLoopback } from './host-names.ts'
import {
  checkHead,
  clientAddress,
  hasBody,
  isWaiting,
  MemoryBudget,
  type MemoryShare,
  readBody,
  readRequestHead,
} from './incoming-request.ts'
import { sendDelivery } from './send-delivery.ts'
import { Turns } from './turns.ts'

const DEFAULT_PORT = 10_002
const DEFAULT_HOST = '127.0.0.1'

/** A listener that was started. */
interface StartedListener {
  /** The address or host name of its options. */
  readonly host: string
  /** The TCP port. */
  readonly port: number
  /** The scheme of its addresses. */
  readonly scheme: 'http' | 'https'
  /** Sends the pending responses, accepts no more requests, and frees the port. */
  close(): Promise<void>
}

/** The listeners of one service. After it is closed, no listener can be started. */
export class Listeners {
  readonly #responder: Responder
  readonly #open = new Set<Listener>()
  #isClosed = false

  /** @param responder - the service */
  constructor(responder: Responder) {
    this.#responder = responder
  }

  /**
   * Starts one more listener.
   *
   * @throws {@link ListenError} when the port is taken or the address is not one of this machine
   * @throws TransportError (`ConnectionFailed`) when the service is closed, or closes in the meantime
   * @throws InputError for an unknown option or an invalid value
   */
  async start(options: ListenOptions): Promise<StartedListener> {
    const settings = readSettings(options)
    this.#checkOpen()
    const listener = await Listener.start(this.#responder, settings)
    if (this.#isClosed) await listener.close()
    this.#checkOpen()
    this.#open.add(listener)
    const { port, scheme } = listener
    const close = async (): Promise<void> => {
      await listener.close()
      this.#open.delete(listener)
    }
    return { host: settings.host, port, scheme, close }
  }

  /** Closes all listeners. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(Array.from(this.#open, (listener) => listener.close()))
  }

  #checkOpen(): void {
    if (!this.#isClosed) return
    throw new TransportError({
      code: 'ConnectionFailed',
      message:
        'The embedded service cannot listen: it is closed. Make a new one with localTableService().',
      failure: 'closed',
      mayHaveApplied: false,
    })
  }
}

function readSettings(options: ListenOptions): ListenerSettings {
  listenOptions.check(options, 'listen')
  const { host = DEFAULT_HOST, port = DEFAULT_PORT, hosts, limits = {}, tls } = options
  listenLimits.check(limits, 'limits of listen')
  if (tls !== undefined) checkCertificate(tls)
  return {
    host,
    port,
    limits: withDefaults(limits),
    hosts: hosts?.map((name) => name.toLowerCase()),
    tls,
  }
}

/** The service, as a listener needs it. */
export interface Responder {
  /** Delivers the response to a request; never rejects. */
  deliver(request: HttpRequest, source: DeliverySource): Promise<Delivery>
  /** Delivers a rejection to a request that the listener did not read. */
  reject(request: HttpRequest, rejection: Rejection): Delivery
  /** Waits for delayed responses. */
  readonly pause: Pause
  /** Receives the error of a response that cannot be sent. */
  report(error: unknown): void
}

/** Where to listen, and with which limits. */
interface ListenerSettings {
  /** The address to bind. */
  readonly host: string
  /** 0 for a free one. */
  readonly port: number
  /** Limits on memory and time. */
  readonly limits: AllLimits
  /** When absent: none on loopback, any elsewhere. */
  readonly hosts: HostNames | undefined
  /** The certificate of https; absent for http. */
  readonly tls: ListenTls | undefined
}

/** Bytes of a request's head, which contains the `$filter`. */
const MAX_HEAD_SIZE = 65_536

/** Longer than clients keep idle sockets, so that none is closed while a request arrives. */
const KEEP_ALIVE = 120_000

/** Milliseconds between searches for slow clients. */
const CHECK_INTERVAL = 1_000

/** Serves a {@link Responder} over HTTP. */
export class Listener {
  /** The scheme of its addresses. */
  readonly scheme: 'http' | 'https'
  readonly #server: Server
  readonly #responder: Responder
  readonly #budget: MemoryBudget
  readonly #requestTimeout: number
  readonly #exchanges = new Exchanges()
  /** The connections that requests come by. */
  readonly #connections = new Set<Socket>()
  /** Those that have not agreed on a key yet, or that carry one of the above. */
  readonly #carriers = new Set<Socket>()
  readonly #turns = new Turns()
  readonly #closing = new AbortController()
  #closed: Promise<void> | undefined
  /** The allowed host names; any name when absent. */
  #hosts: HostNames | undefined

  private constructor(responder: Responder, { limits, tls }: ListenerSettings) {
    const { requestTimeout } = limits
    this.scheme = tls === undefined ? 'http' : 'https'
    this.#responder = responder
    this.#budget = new MemoryBudget(limits.bufferedBytes)
    this.#requestTimeout = requestTimeout
    const options = {
      maxHeaderSize: MAX_HEAD_SIZE,
      // Node would reject it without the protocol's error; checkHead does so with it.
      requireHostHeader: false,
      keepAliveTimeout: KEEP_ALIVE,
      requestTimeout,
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: Math.min(CHECK_INTERVAL, Math.ceil(requestTimeout / 2)),
    }
    const serve = (message: IncomingMessage, response: ServerResponse) =>
      this.#serve(message, response)
    this.#server =
      tls === undefined
        ? createServer(options, serve)
        : createTlsServer({ ...options, ...tls, handshakeTimeout: requestTimeout }, serve)
    this.#server.on('checkContinue', serve)
    // Every connection of the server is a socket of `node:net` or `node:tls`.
    this.#server.on('clientError', (error, socket) => this.#rejectBytes(error, socket as Socket))
    this.#server.maxConnections = limits.connections
    // A client that has sent its last request may still read. A runtime without this closes instead.
    Object.assign(this.#server, { httpAllowHalfOpen: true })
    if (tls === undefined) {
      this.#server.on('connection', (socket) => this.#keep(socket, this.#connections))
    } else {
      this.#server.on('connection', (socket) => this.#keep(socket, this.#carriers))
      this.#server.on('secureConnection', (socket) => this.#keep(socket, this.#connections))
    }
    // The size of the head limits the number of headers. With a limit of their own, Node would drop
    // headers without an error, and an update that lost its If-Match would be an upsert.
    this.#server.maxHeadersCount = 0
  }

  /** @throws ListenError when the port is taken or the address is not one of this machine */
  static async start(responder: Responder, settings: ListenerSettings): Promise<Listener> {
    const listener = new Listener(responder, settings)
    await listener.#listen(settings)
    const { host, hosts = isLoopback(listener.#address.address) ? [] : undefined } = settings
    listener.#hosts = hosts && [...hosts, host.toLowerCase()]
    return listener
  }

  /** Returns the port of the listener. */
  get port(): number {
    return this.#address.port
  }

  get #address(): AddressInfo {
    // A server on TCP has an address of this form; on a pipe it would be text.
    return this.#server.address() as AddressInfo
  }

  #keep(socket: Socket, connections: Set<Socket>): void {
    if (this.#closing.signal.aborted) return void socket.destroy()
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  }

  /** Accepts no more requests, sends the pending responses, and closes every connection. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#closing.abort()
    for (const socket of this.#connections) if (!this.#exchanges.isOwed(socket)) socket.destroy()
    await this.#exchanges.drained()
    // Only now: the server would also close connections whose responses are being sent.
    await new Promise((resolve) => {
      this.#server.close(resolve)
      this.#server.closeAllConnections()
      for (const socket of this.#carriers) socket.destroy()
    })
  }

  #listen({ host, port }: ListenerSettings): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (cause: Error) => reject(new ListenError({ host, port, cause }))
      this.#server.once('error', fail)
      try {
        this.#server.listen(port, host, resolve)
      } catch (cause) {
        fail(cause as Error)
      }
    })
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = message
    const exchange = this.#exchanges.begin(socket, response)
    if (exchange.turn !== undefined) await exchange.turn
    // Serves nothing more when the listener closes or the client is gone.
    if (this.#closing.signal.aborted || socket.destroyed) return exchange.end()
    const share = this.#budget.share()
    exchange.onEnd(() => share.release())
    try {
      const delivery = await this.#deliver(response, share, () =>
        this.#exchanges.owe(exchange, socket),
      )
      await sendDelivery(delivery, response, {
        pause: this.#responder.pause,
        closing: this.#closing.signal,
        timeout: this.#requestTimeout,
      })
    } catch (error) {
      // Most clients went away before they had sent their request. All else is a fault of the service.
      if (!socket.destroyed) this.#responder.report(error)
      response.destroy()
      exchange.end()
    }
  }

  /**
   * Rejects what cannot be read as HTTP. Node would do so at once, in place of the responses to the
   * requests before it, which may be writes that were applied.
   */
  async #rejectBytes({ code = '' }: NodeJS.ErrnoException, socket: Socket): Promise<void> {
    await this.#exchanges.answered(socket)
    if (!socket.writable) return
    const status = UNREADABLE[code] ?? '400 Bad Request'
    socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
    socket.destroySoon()
  }

  /**
   * Waits for the turn of long work. A client that sends nothing more may still read, or be gone. While
   * others wait, it has to come again.
   *
   * @throws Rejection ServerBusy
   */
  async #takeTurn(socket: Socket): Promise<void> {
    const areOthersWaiting = await this.#turns.take()
    if (socket.readableEnded && areOthersWaiting) throw new Rejection('ServerBusy')
  }

  async #readBody(
    response: ServerResponse<IncomingMessage>,
    share: MemoryShare,
    onRead: () => void,
  ): Promise<string> {
    if (isWaiting(response.req)) response.writeContinue()
    const body = await readBody(response.req, share)
    onRead()
    return body
  }

  /** @param onRead - called when the request is read: from then on its response is pending */
  async #deliver(
    response: ServerResponse<IncomingMessage>,
    share: MemoryShare,
    onRead: () => void,
  ): Promise<Delivery> {
    const { req: message } = response
    const request = readRequestHead(message, this.scheme)
    if (isHealthCheck(request)) return HEALTHY
    try {
      checkHead(message, request)
      if (this.#hosts !== undefined) checkHostName(message.headers.host ?? '', this.#hosts)
      if (this.#budget.isSpent) throw new Rejection('ServerBusy')
      if (!hasBody(message)) onRead()
      return await this.#responder.deliver(request, {
        body: hasBody(message) ? once(() => this.#readBody(response, share, onRead)) : undefined,
        address: clientAddress(message.socket),
        // The share of a client that is gone was released, and is not released again.
        hasRoom: (bytes) => message.socket.destroyed || makeRoom(share, request, bytes),
        turn: () => this.#takeTurn(message.socket),
        rest: async () => void (await this.#turns.take()),
        isGone: () => message.socket.destroyed,
      })
    } catch (error) {
      if (error instanceof Rejection) return this.#responder.reject(request, error)
      throw error
    }
  }
}

/** Makes a function that does its work at the first call, and returns the same promise to all. */
function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let result: Promise<Value> | undefined
  return () => {
    result ??= work()
    return result
  }
}

/** The status for each error of Node's parser that is not 400. */
const UNREADABLE: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

/** No account can have this name, so that no address of tables is lost. */
const HEALTH_PATH = '/_health'

const HEALTHY: Delivery = {
  kind: 'whole',
  response: { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' },
}

/** Tells whether a request asks only if the service listens. It needs no credential and shows nothing. */
function isHealthCheck({ method, path }: HttpRequest): boolean {
  return path === HEALTH_PATH && (method === 'GET' || method === 'HEAD')
}

/** Exchanges the bytes of a request for those of its response. */
function makeRoom(share: MemoryShare, { method }: HttpRequest, bytes: number): boolean {
  share.release()
  if (method === 'GET') return share.take(bytes)
  // A write was applied, so the client must receive its response.
  share.force(bytes)
  return true
}
