import { type HttpRequest, type HttpResponse, type Transport, TransportError } from '@rowkey/rest'
import type { VirtualTime } from '../rest/simulation/virtual-time.ts'

/** Counts what is in flight, so that virtual time waits for it. */
export class Traffic {
  #pending = 0
  readonly #onQuiet: (() => void)[] = []

  /** Whether something is in flight. */
  readonly isBusy = (): boolean => this.#pending > 0

  /** Counts some work until it ends. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#pending++
    try {
      return await work()
    } finally {
      this.#pending--
      if (this.#pending === 0) for (const act of this.#onQuiet.splice(0)) act()
    }
  }

  /** Resolves when nothing is in flight. */
  quiet(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#pending === 0) resolve()
      else this.#onQuiet.push(resolve)
    })
  }
}

/** The error of a request whose response does not arrive. */
export function lost({ method, path }: HttpRequest): TransportError {
  return new TransportError({
    message: `${method} ${path}: lost.`,
    mayHaveApplied: method !== 'GET',
  })
}

/** What happens to a write request: it calls `deliver`, now, later or never, and returns or throws what the client sees. */
export type Disturbance = (
  request: HttpRequest,
  deliver: () => Promise<HttpResponse>,
) => Promise<HttpResponse>

/** The connection of one program, which a cell can disturb. */
export class Wire {
  readonly time: VirtualTime
  /** The requests that changed something, or tried to. */
  writes = 0
  /** Runs before the next write request is sent; further requests wait for it, too. */
  beforeWrite: (() => Promise<void>) | undefined
  /** Happens to each write request, until it is removed. */
  disturbance: Disturbance | undefined
  /** The most rows of a page, where the service cuts pages short. */
  pageSize: number | undefined
  /** How long each request takes, in milliseconds of virtual time. */
  delay = 0
  readonly #inner: Transport
  readonly #traffic: Traffic
  #before: Promise<void> | undefined
  #isDead = false
  #onDeath: () => void = () => {}
  /** Resolves when the program dies. */
  readonly died: Promise<'died'> = new Promise((resolve) => {
    this.#onDeath = () => resolve('died')
  })

  /**
   * @param inner - carries the requests
   * @param time - passes while a request takes time
   * @param traffic - counts the requests in flight
   */
  constructor(inner: Transport, time: VirtualTime, traffic: Traffic) {
    this.#inner = inner
    this.time = time
    this.#traffic = traffic
  }

  /** Ends the program: nothing is sent any more, and no response arrives. */
  die(): Promise<never> {
    this.#isDead = true
    this.#onDeath()
    return new Promise(() => {})
  }

  /** Delivers a request to the service, whatever happened to its program. */
  readonly deliver = (request: HttpRequest): Promise<HttpResponse> =>
    this.#traffic.during(() => this.#inner(request, {}))

  /** Lets a query return short pages, as a service may that has worked long enough. */
  #cut(request: HttpRequest): HttpRequest {
    const { path, query } = request
    if (this.pageSize === undefined || !path.endsWith('()')) return request
    const others = query.split('&').filter((each) => each !== '' && !each.startsWith('$top='))
    return { ...request, query: [...others, `$top=${this.pageSize}`].join('&') }
  }

  /** The transport of the program. */
  readonly transport: Transport = async (request, { timeout = Number.POSITIVE_INFINITY } = {}) => {
    if (this.#isDead) return this.die()
    if (this.delay > 0) await this.time.sleep(Math.min(this.delay, timeout))
    if (this.delay > timeout) throw lost(request)
    if (request.method === 'GET' || request.readsOnly === true)
      return this.deliver(this.#cut(request))
    this.writes++
    if (this.beforeWrite !== undefined) {
      this.#before = this.beforeWrite()
      this.beforeWrite = undefined
    }
    await this.#before
    const deliver = () => this.deliver(request)
    return this.disturbance === undefined ? deliver() : this.disturbance(request, deliver)
  }
}
