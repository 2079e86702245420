import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** One request from its arrival until its response is sent or its connection is gone. */
export class Exchange {
  /** Resolves when the exchanges before it on the connection are over; absent when they are. */
  readonly turn: Promise<void> | undefined
  readonly #onEnd: (() => void)[] = []
  #isOver = false

  constructor(turn: Promise<void> | undefined) {
    this.turn = turn
  }

  /** Calls a function when the exchange is over. */
  onEnd(act: () => void): void {
    this.#onEnd.push(act)
  }

  /** Resolves when the exchange is over; `undefined` when it is. */
  over(): Promise<void> | undefined {
    return this.#isOver ? undefined : new Promise((resolve) => this.onEnd(resolve))
  }

  /** Ends the exchange. Node ends no response that still waits for its turn. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const act of this.#onEnd) act()
  }
}

/**
 * The exchanges of a listener. Those of one connection take turns: a client that pipelines its
 * requests and reads no response makes the listener hold one response, not all of them.
 */
export class Exchanges {
  readonly #newest = new WeakMap<Socket, Exchange>()
  /** Connections that wait for a response: one each, since their exchanges take turns. */
  readonly #owed = new Set<Socket>()
  #onDrained: (() => void) | undefined

  /** Begins the exchange of a request that has arrived. */
  begin(socket: Socket, response: ServerResponse): Exchange {
    const exchange = new Exchange(this.#newest.get(socket)?.over())
    this.#newest.set(socket, exchange)
    response.once('close', () => exchange.end())
    return exchange
  }

  /** Counts an exchange as owed: its response must be sent before the listener closes. */
  owe(exchange: Exchange, socket: Socket): void {
    if (socket.destroyed) return
    this.#owed.add(socket)
    exchange.onEnd(() => {
      this.#owed.delete(socket)
      if (this.#owed.size === 0) this.#onDrained?.()
    })
  }

  /** Whether a connection still waits for a response. */
  isOwed(socket: Socket): boolean {
    return this.#owed.has(socket)
  }

  /** Resolves when every response that is owed is sent. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#onDrained = resolve
      if (this.#owed.size === 0) resolve()
    })
  }
}
