import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The answers that a listener owes. A client that pipelines its requests may go away with several
 * open, and of those that were waiting for their turn Node never says that they are over: so the
 * end of a connection ends all of its answers.
 */
export class OpenAnswers {
  readonly #counts = new Map<Socket, number>()
  #onDrained: (() => void) | undefined

  /** Owes an answer to a connection, until it is sent or the connection is gone. */
  add(socket: Socket, response: ServerResponse): void {
    if (socket.destroyed) return
    if (!this.#counts.has(socket)) socket.once('close', () => this.#forget(socket))
    this.#counts.set(socket, (this.#counts.get(socket) ?? 0) + 1)
    response.once('close', () => this.#end(socket))
  }

  /** Whether a connection still waits for an answer. */
  isOwed(socket: Socket): boolean {
    return (this.#counts.get(socket) ?? 0) > 0
  }

  /** Resolves when nothing is owed. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#onDrained = resolve
      this.#check()
    })
  }

  #end(socket: Socket): void {
    const count = this.#counts.get(socket)
    if (count === undefined) return
    this.#counts.set(socket, count - 1)
    this.#check()
  }

  #forget(socket: Socket): void {
    this.#counts.delete(socket)
    this.#check()
  }

  #check(): void {
    if (this.#onDrained === undefined) return
    for (const count of this.#counts.values()) if (count > 0) return
    this.#onDrained()
  }
}
