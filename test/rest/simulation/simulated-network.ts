import {
  AbortError,
  type AttemptLimits,
  type HttpRequest,
  type HttpResponse,
  type Transport,
  TransportError,
} from '@rowkey/rest'
import { isApplied } from './service-model.ts'
import type { VirtualTime } from './virtual-time.ts'

/** What the network, or the service, can do with one request. */
export const networkFaults = [
  'refused',
  'lost request',
  'lost response',
  'silence before',
  'silence after',
  'late delivery',
  'repeated by a proxy',
  'late duplicate',
  'busy',
  'throttled',
  'error before',
  'error after',
  'gateway error after',
  'gateway timeout after',
  'request timeout',
  'told to wait',
  'cut response',
  'empty response',
  'page of a proxy',
  'redirect',
] as const

/** One of them. */
export type NetworkFault = (typeof networkFaults)[number]

/** Processes a request. */
export type Serve = (request: HttpRequest) => Promise<HttpResponse>

/** The parts of a simulated network. */
export interface NetworkParts {
  readonly time: VirtualTime
  readonly random: () => number
  /** The service, which responds at once. */
  readonly serve: Serve
  /** Receives each request that the service has processed, in that order. */
  readonly onServed: (request: HttpRequest, response: HttpResponse) => void
  /** Receives what happens, for the trace. */
  readonly onEvent: (event: string) => void
}

const MINUTE = 60_000
/** A marker is at least 10 minutes old when it is deleted. */
const LATEST_DUPLICATE = 9 * MINUTE

/** A network between clients and a service, with faults by chance. */
export class SimulatedNetwork {
  /** How many requests of a hundred are faulty. */
  faultRate = 0.3
  /** The calls with a request that a proxy sent twice; it passed on the second response. */
  readonly repeated = new Set<string | undefined>()
  /** How often each fault happened. */
  readonly fired = new Map<NetworkFault, number>()
  readonly #parts: NetworkParts

  constructor(parts: NetworkParts) {
    this.#parts = parts
  }

  /** Carries requests of a client. */
  readonly transport: Transport = async (request, limits) => {
    const { time, random } = this.#parts
    await this.#travel(request, limits)
    const fault = random() < this.faultRate ? this.#chooseFault() : undefined
    this.#tell(request, fault ?? 'delivered')
    if (fault === undefined) return this.#serve(request)
    const before = beforeService(fault, request)
    if (before instanceof Error) throw before
    if (before !== undefined) return before
    if (fault === 'silence before') return this.#silence(request, limits)
    if (fault === 'late delivery') {
      time.after(random() * 2 * MINUTE, () => void this.#serve(request))
      return this.#silence(request, limits)
    }
    const response = await this.#serve(request)
    if (fault === 'repeated by a proxy') {
      this.repeated.add(request.headers['x-ms-client-request-id'])
      return this.#serve(request)
    }
    if (fault === 'late duplicate') {
      // Without a marker, nothing stops the duplicate of a rejected request.
      if (isApplied(response)) {
        time.after(random() * LATEST_DUPLICATE, () => void this.#serve(request))
      }
      return response
    }
    if (fault === 'silence after') return this.#silence(request, limits)
    return afterService(fault, request, response)
  }

  #chooseFault(): NetworkFault {
    const fault = networkFaults[Math.floor(this.#parts.random() * networkFaults.length)]!
    this.fired.set(fault, (this.fired.get(fault) ?? 0) + 1)
    return fault
  }

  async #serve(request: HttpRequest): Promise<HttpResponse> {
    const response = await this.#parts.serve(request)
    this.#tell(request, `served ${response.status}`)
    this.#parts.onServed(request, response)
    return response
  }

  /** Takes some time to the service, unless the call ends on the way. */
  async #travel(request: HttpRequest, limits: AttemptLimits | undefined): Promise<void> {
    const { time, random } = this.#parts
    await time.sleep(1 + Math.floor(random() * 40), limits?.signal)
    // The request has left, so it may arrive.
    if (!limits?.signal?.aborted) return
    if (random() < 0.5) time.after(random() * MINUTE, () => void this.#serve(request))
    throw abortOf(request, limits)
  }

  async #silence(request: HttpRequest, limits: AttemptLimits | undefined): Promise<HttpResponse> {
    await this.#parts.time.sleep(limits?.timeout ?? MINUTE, limits?.signal)
    if (limits?.signal?.aborted) throw abortOf(request, limits)
    throw new TransportError({
      code: 'AttemptTimeout',
      message: 'No response.',
      mayHaveApplied: isWrite(request),
    })
  }

  #tell({ method, path, headers }: HttpRequest, event: string): void {
    const id = headers['x-ms-client-request-id']
    this.#parts.onEvent(`${this.#parts.time.now()} ${id} ${method} ${path} ${event}`)
  }
}

/** What comes instead of a request that the service does not get. */
function beforeService(
  fault: NetworkFault,
  request: HttpRequest,
): Error | HttpResponse | undefined {
  switch (fault) {
    case 'refused':
      return new TransportError({
        code: 'ConnectionFailed',
        message: 'Refused.',
        failure: 'refused',
        mayHaveApplied: false,
      })
    case 'lost request':
      return lost(request)
    case 'busy':
      return refusal(503, 'ServerBusy')
    case 'throttled':
      return refusal(429, 'TooManyRequests')
    case 'error before':
      return refusal(500, 'InternalError')
    case 'request timeout':
      return { status: 408, headers: {}, body: '' }
    case 'told to wait':
      return { ...refusal(503, 'ServerBusy'), headers: { 'retry-after': '3' } }
    case 'redirect':
      return { status: 307, headers: { location: 'http://127.0.0.1:9/' }, body: '' }
    default:
      return undefined
  }
}

/** What comes instead of the response of the service. */
function afterService(
  fault: NetworkFault,
  request: HttpRequest,
  response: HttpResponse,
): HttpResponse {
  switch (fault) {
    case 'error after':
      return refusal(500, 'OperationTimedOut')
    case 'gateway error after':
      return { status: 503, headers: {}, body: '<html>' }
    case 'gateway timeout after':
      return { status: 504, headers: {}, body: '<html>' }
    case 'empty response':
      return { ...response, body: '' }
    case 'cut response':
      return { ...response, body: response.body.slice(0, response.body.length / 2) }
    case 'page of a proxy':
      return { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in' }
    default:
      throw lost(request)
  }
}

function refusal(status: number, code: string): HttpResponse {
  const body = `{"odata.error":{"code":"${code}","message":{"value":"No."}}}`
  return { status, headers: {}, body }
}

function lost(request: HttpRequest): TransportError {
  return new TransportError({ message: 'Lost.', mayHaveApplied: isWrite(request) })
}

function abortOf(request: HttpRequest, { signal }: AttemptLimits): AbortError {
  return new AbortError({ reason: signal?.reason, mayHaveApplied: isWrite(request) })
}

function isWrite({ method }: HttpRequest): boolean {
  return method !== 'GET'
}
