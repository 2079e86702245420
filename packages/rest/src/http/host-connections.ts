/** A dispatcher whose connections can end. */
export interface Ending {
  /** Closes the connections as the requests on them end. */
  close(): Promise<void>
}

/** Milliseconds. A connection keeps the address that its host had when it was opened, even when the host moves to another region. */
const LONGEST_LIFE = 300_000

/** Milliseconds. A host that fails for long must not cost a connection for each request. */
const SHORTEST_LIFE = 1_000

/**
 * The dispatcher of each host. It is replaced five minutes after it was opened, and after a response that says
 * "unavailable": the next one looks up the name of the host again. Requests of a replaced dispatcher end on it.
 */
export class HostConnections<Dispatcher extends Ending> {
  readonly #now: () => number
  readonly #hosts = new Map<
    string,
    { readonly dispatcher: Dispatcher; readonly openedAt: number }
  >()
  readonly #replaced = new Set<Dispatcher>()

  /** @param now - returns milliseconds since any moment, by a clock that is never set */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Returns the dispatcher of a host; `undefined` when one must be opened. */
  get(origin: string): Dispatcher | undefined {
    const host = this.#hosts.get(origin)
    if (host === undefined || this.#now() - host.openedAt < LONGEST_LIFE) return host?.dispatcher
    this.#replace(origin, host.dispatcher)
    return undefined
  }

  /** Adds the dispatcher of a host, which has none. */
  add(origin: string, dispatcher: Dispatcher): Dispatcher {
    this.#hosts.set(origin, { dispatcher, openedAt: this.#now() })
    return dispatcher
  }

  /** Replaces the connections of a host that failed, unless they were opened a moment ago. */
  renew(origin: string): void {
    const host = this.#hosts.get(origin)
    if (host === undefined || this.#now() - host.openedAt < SHORTEST_LIFE) return
    this.#replace(origin, host.dispatcher)
  }

  /** Lists all dispatchers, with those that were replaced and still have requests. */
  all(): readonly Dispatcher[] {
    const current = Array.from(this.#hosts.values(), ({ dispatcher }) => dispatcher)
    return [...current, ...this.#replaced]
  }

  #replace(origin: string, dispatcher: Dispatcher): void {
    this.#hosts.delete(origin)
    this.#replaced.add(dispatcher)
    dispatcher.close().then(
      () => this.#replaced.delete(dispatcher),
      () => this.#replaced.delete(dispatcher),
    )
  }
}
