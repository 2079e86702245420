import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, type Socket, Server as TcpServer } from 'node:net'
import type { HttpRequest } from '@rowkey/rest'
import type { Delivery, DeliverySource } from '../delivery/delivery.ts'
import { ListenError } from '../errors/listen-error.ts'
import type { Pause } from '../platform/pause.ts'
import { Rejection } from '../rejection/rejection.ts'
import { Exchanges } from './exchanges.ts'
import { checkHostName, type HostNames, isLoopback } from './host-names.ts'
import {
  checkHead,
  clientAddress,
  isWaiting,
  readBody,
  readRequestHead,
} from './incoming-request.ts'
import type { ReadListenLimits } from './listen-options.ts'
import { MemoryBudget, type MemoryShare } from './memory-budget.ts'
import { sendDelivery } from './send-delivery.ts'

/** The service, as a listener needs it. */
export interface Responder {
  /** Gives what a client gets for its request; never rejects. */
  deliver(request: HttpRequest, source: DeliverySource): Promise<Delivery>
  /** What it gets for a request that the listener itself refuses. */
  refuse(request: HttpRequest, fault: Rejection): Delivery
  /** Does the waiting of an answer that is late. */
  readonly pause: Pause
}

/** Where to listen, and what a listener bears. */
export interface ListenerSettings {
  /** The address to bind. */
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  /** What clients may take of its memory and time. */
  readonly limits: ReadListenLimits
  /** When absent: none on loopback, any elsewhere. */
  readonly hosts: HostNames | undefined
}

/** Bytes of a request's head; a long `$filter` stands in it. */
const MAX_HEAD_SIZE = 65_536

/** Longer than clients keep idle sockets, so that none is closed while a request is on its way. */
const KEEP_ALIVE = 120_000

/** Milliseconds after which the connections are searched again for slow clients. */
const CHECK_INTERVAL = 1_000

/** Serves a {@link Responder} over HTTP. */
export class Listener {
  readonly #server: Server
  readonly #responder: Responder
  readonly #budget: MemoryBudget
  readonly #requestTimeout: number
  readonly #exchanges = new Exchanges()
  readonly #connections = new Set<Socket>()
  readonly #closing = new AbortController()
  /** Any name will do when absent. */
  #hosts: HostNames | undefined

  private constructor(responder: Responder, limits: ReadListenLimits) {
    const { requestTimeout } = limits
    this.#responder = responder
    this.#budget = new MemoryBudget(limits.bufferedBytes)
    this.#requestTimeout = requestTimeout
    this.#server = createServer(
      {
        maxHeaderSize: MAX_HEAD_SIZE,
        // Node would refuse it without a word of the protocol; checkHead does it in the service's.
        requireHostHeader: false,
        keepAliveTimeout: KEEP_ALIVE,
        requestTimeout,
        headersTimeout: requestTimeout,
        connectionsCheckingInterval: Math.min(CHECK_INTERVAL, Math.ceil(requestTimeout / 2)),
      },
      (message, response) => this.#serve(message, response),
    )
    this.#server.on('checkContinue', (message: IncomingMessage, response: ServerResponse) =>
      this.#serve(message, response),
    )
    this.#server.maxConnections = limits.connections
    this.#server.on('connection', (socket: Socket) => {
      this.#connections.add(socket)
      socket.once('close', () => this.#connections.delete(socket))
    })
    // The size of a head bounds their number. Beyond a number of their own, Node drops headers
    // without a word, and an update that lost its If-Match would be an upsert.
    this.#server.maxHeadersCount = 0
  }

  /** @throws ListenError when the port is taken or the address is not this machine's */
  static async start(responder: Responder, terms: ListenerSettings): Promise<Listener> {
    const listener = new Listener(responder, terms.limits)
    await listener.#listen(terms)
    const { host, hosts = isLoopback(listener.#address.address) ? [] : undefined } = terms
    listener.#hosts = hosts && [...hosts, host.toLowerCase()]
    return listener
  }

  /** The port that it listens on. */
  get port(): number {
    return this.#address.port
  }

  get #address(): AddressInfo {
    // A server that listens on TCP has an address of this form; on a pipe it would be text.
    return this.#server.address() as AddressInfo
  }

  /** Takes no more requests, answers those it has, and closes every connection. */
  async close(): Promise<void> {
    const closed = this.#stopListening()
    this.#closing.abort()
    for (const socket of this.#connections) if (!this.#exchanges.isOwed(socket)) socket.destroy()
    await this.#exchanges.drained()
    this.#server.closeAllConnections()
    // Only now, for its timer's sake.
    this.#server.close()
    await closed
  }

  /** As HTTP servers close, a connection counts as idle while its answer is still on the way. */
  #stopListening(): Promise<void> {
    return new Promise((resolve) => TcpServer.prototype.close.call(this.#server, () => resolve()))
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
    // No request is served any more when the listener closes, or when the client is gone.
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
    } catch {
      // The client went away before it had sent its request.
      response.destroy()
      exchange.end()
    }
  }

  /** @param onRead - called when the request is read: from then on its response is owed */
  async #deliver(
    response: ServerResponse<IncomingMessage>,
    share: MemoryShare,
    onRead: () => void,
  ): Promise<Delivery> {
    const { req: message } = response
    const request = readRequestHead(message)
    try {
      checkHead(message, request)
      if (this.#hosts !== undefined) checkHostName(message.headers.host ?? '', this.#hosts)
      if (this.#budget.isSpent) throw new Rejection('ServerBusy')
      if (isWaiting(message)) response.writeContinue()
      const body = await readBody(message, share)
      onRead()
      return await this.#responder.deliver(
        { ...request, body: body === '' ? undefined : body },
        {
          address: clientAddress(message.socket),
          hasRoom: (bytes) => makeRoom(share, request, bytes),
        },
      )
    } catch (error) {
      if (error instanceof Rejection) return this.#responder.refuse(request, error)
      throw error
    }
  }
}

/** Gives back the bytes of a request and takes those of its response. */
function makeRoom(share: MemoryShare, { method }: HttpRequest, bytes: number): boolean {
  share.release()
  if (method === 'GET') return share.take(bytes)
  // A write is done: its client must hear of it.
  share.force(bytes)
  return true
}
