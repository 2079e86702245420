import type { HttpHeaders, HttpRequest } from './transport.ts'
import { isUnavailable } from './transport-errors.ts'

/** Milliseconds: as long as the connections of the other transports live. */
const LONGEST_LIFE = 300_000
const SHORTEST_LIFE = 1_000

interface Host {
  /** When its connections were last told to end. */
  renewedAt: number
  /** The requests without a response, and the most of them since then: no more connections are in use. */
  pending: number
  most: number
  /** How many requests still end the connection that carries them. */
  ending: number
}

/**
 * Ends the connections of `fetch`, which has no other way than a header of a request: five minutes after they were opened,
 * and after a response that says "unavailable". Browsers manage them by themselves and ignore the header.
 */
export class FetchConnections {
  readonly #now: () => number
  readonly #hosts = new Map<string, Host>()

  /** @param now - returns milliseconds since any moment, by a clock that is never set */
  constructor(now: () => number = () => (globalThis.performance ?? Date).now()) {
    this.#now = now
  }

  /** Begins a request, and returns its headers with that of its connection. */
  begin({ origin, headers }: HttpRequest): HttpHeaders {
    const host = this.#hostOf(origin)
    host.pending += 1
    host.most = Math.max(host.most, host.pending)
    if (this.#now() - host.renewedAt >= LONGEST_LIFE) this.#renew(host)
    if (host.ending === 0) return headers
    host.ending -= 1
    return { ...headers, connection: 'close' }
  }

  /** Ends a request; without a status, no response came. */
  end(origin: string, status?: number): void {
    const host = this.#hostOf(origin)
    host.pending -= 1
    const isDue = this.#now() - host.renewedAt >= SHORTEST_LIFE
    if (isDue && status !== undefined && isUnavailable(status)) this.#renew(host)
  }

  #renew(host: Host): void {
    host.renewedAt = this.#now()
    host.ending = host.most
    host.most = host.pending
  }

  #hostOf(origin: string): Host {
    let host = this.#hosts.get(origin)
    if (host === undefined) {
      host = { renewedAt: this.#now(), pending: 0, most: 0, ending: 0 }
      this.#hosts.set(origin, host)
    }
    return host
  }
}
