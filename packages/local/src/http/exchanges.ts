import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

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

/**
 * The exchanges of a listener. Those of one connection take turns. A client that pipelines requests
 * and reads nothing makes the listener hold one response, not all of them.
 */
export class Exchanges {
  readonly #newest = new WeakMap<Socket, Exchange>()
  /** The connections with a pending response: one each, because exchanges take turns. */
  readonly #owed = new Set<Socket>()
  #onDrained: (() => void) | undefined

  /** Begins the exchange of a request that has arrived. */
  begin(socket: Socket, response: ServerResponse): Exchange {
    const exchange = new Exchange(this.#newest.get(socket)?.over(), response)
    this.#newest.set(socket, exchange)
    response.once('close', () => exchange.end())
    return exchange
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
