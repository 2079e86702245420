import { TransportError } from '@rowkey/rest'

import { Listener, type ListenerSettings, type Responder } from './listener.ts'

/** The listeners of one service. Once they are closed, there are no more. */
export class Listeners {
  readonly #responder: Responder
  readonly #open = new Set<Listener>()
  #isClosed = false

  /** @param responder - the service */
  constructor(responder: Responder) {
    this.#responder = responder
  }

  /**
   * Starts one more.
   *
   * @throws ListenError when the port is taken or the address is not this machine's
   * @throws TransportError (`ConnectionFailed`) when the service is closed, or closes meanwhile
   */
  async start(terms: ListenerSettings): Promise<Listener> {
    this.#checkOpen()
    const listener = await Listener.start(this.#responder, terms)
    if (this.#isClosed) await listener.close()
    this.#checkOpen()
    this.#open.add(listener)
    return listener
  }

  /** Closes all of them. */
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
