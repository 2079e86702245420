import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { hasBody, MemoryBudget } from './incoming-request.ts'

/** A request from its arrival until its response is sent or its connection is gone. */
class Exchange {
  /** Resolves when the earlier exchanges of the connection are over; absent when they are. */
  readonly turn: Promise<void> | undefined
  /** Absent when the exchange is over: an idle connection would keep its last request with the body. */
  #response: ServerResponse | undefined
  readonly #onEnd: (() => void)[] = []

  constructor(turn: Promise<void> | undefined, response: ServerResponse) {
    this.turn = turn
    this.#response = response
  }

  /** Tells whether a response belongs to the exchange, and is not sent. */
  isOf(response: ServerResponse): boolean {
    return this.#response === response
  }

  /** Whether the whole request has arrived, and the exchange is not over. */
  get isWhole(): boolean {
    return this.#response?.req.complete === true
  }

  /** Calls a function when the exchange is over. */
  onEnd(act: () => void): void {
    this.#onEnd.push(act)
  }

  /** Resolves when the exchange is over; `undefined` when it is. */
  over(): Promise<void> | undefined {
    return this.#response && new Promise((resolve) => this.onEnd(resolve))
  }

  /** Ends the exchange. Node does not end a response that waits for its turn. */
  end(): void {
    if (this.#response === undefined) return
    this.#response = undefined
    for (const act of this.#onEnd) act()
  }
}

/** Bytes of the requests that wait, over all connections. They need no credential to wait. */
const MAX_WAITING = 67_108_864

/**
 * The exchanges of a listener. Those of one connection take turns. A client that pipelines requests
 * and reads nothing makes the listener hold one response, not all of them. While requests wait, nothing
 * more is read from their connection. A connection whose requests do not fit is closed.
 */
export class Exchanges {
  readonly #waiting: MemoryBudget
  readonly #newest = new WeakMap<Socket, Exchange>()
  /** The connections that had to wait, and whether they do now. */
  readonly #paused = new WeakMap<Socket, boolean>()
  /** The connections with a pending response: one each, because exchanges take turns. */
  readonly #owed = new Set<Socket>()
  #onDrained: (() => void) | undefined

  /** @param waiting - how many bytes of requests may wait */
  constructor(waiting: MemoryBudget = new MemoryBudget(MAX_WAITING)) {
    this.#waiting = waiting
  }

  /** Begins the exchange of a request that has arrived. */
  begin(socket: Socket, response: ServerResponse): Exchange {
    const before = this.#newest.get(socket)?.over()
    const exchange = new Exchange(before && this.#wait(socket, response, before), response)
    this.#newest.set(socket, exchange)
    response.once('close', () => exchange.end())
    return exchange
  }

  /** Lets a request wait for the end of the exchange before it. */
  async #wait(socket: Socket, response: ServerResponse, before: Promise<void>): Promise<void> {
    const share = this.#waiting.share()
    if (share.take(sizeOf(response.req))) this.#pause(socket)
    else socket.destroy()
    await before
    share.release()
    // The body of the newest request may still arrive. Behind others, all has arrived.
    if (this.#newest.get(socket)?.isOf(response)) this.#resume(socket)
  }

  /** Node resumes a connection after each response, and its own brake counts only the bytes of responses. */
  #pause(socket: Socket): void {
    if (!this.#paused.has(socket)) {
      socket.on('resume', () => {
        if (this.#paused.get(socket)) socket.pause()
      })
    }
    this.#paused.set(socket, true)
    socket.pause()
  }

  #resume(socket: Socket): void {
    this.#paused.set(socket, false)
    socket.resume()
  }

  /** Resolves when the requests of a connection that arrived whole have their responses. */
  async answered(socket: Socket): Promise<void> {
    const newest = this.#newest.get(socket)
    await (newest?.isWhole ? newest.over() : newest?.turn)
  }

  /** Records that the response of an exchange must be sent before the listener closes. */
  owe(exchange: Exchange, socket: Socket): void {
    if (socket.destroyed) return
    this.#owed.add(socket)
    exchange.onEnd(() => {
      this.#owed.delete(socket)
      if (this.#owed.size === 0) this.#onDrained?.()
    })
  }

  /** Tells whether a connection has a pending response. */
  isOwed(socket: Socket): boolean {
    return this.#owed.has(socket)
  }

  /** Resolves when no response is pending. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#onDrained = resolve
      if (this.#owed.size === 0) resolve()
    })
  }
}

/** Bytes of what Node makes of a request. */
const REQUEST_SIZE = 4_096

/** The most bytes of a body that arrive before anyone reads it. */
const FIRST_PIECE = 65_536

/** Estimates the bytes that a request holds while it waits. */
function sizeOf(request: IncomingMessage): number {
  const { headers, rawHeaders, url = '' } = request
  const head = rawHeaders.reduce((sum, text) => sum + text.length, url.length)
  if (!hasBody(request)) return REQUEST_SIZE + head
  return (
    REQUEST_SIZE + head + Math.min(Number(headers['content-length'] ?? FIRST_PIECE), FIRST_PIECE)
  )
}
