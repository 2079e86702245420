import { aFunction, declareOptions } from '@rowkey/odata'
import { AbortError } from '../errors/abort-error.ts'
import { onAbort } from '../wait/on-abort.ts'
import { CorsCheck } from './cors-check.ts'
import {
  type AttemptLimits,
  type CloseOptions,
  closeOptions,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  isRead,
  type Transport,
  urlOf,
} from './transport.ts'
import {
  closedErrorOf,
  isConnectionFailure,
  LONGEST_BODY,
  timeoutErrorOf,
  transportErrorOf,
  unreadableResponse,
} from './transport-errors.ts'

/** The options of {@link fetchTransport}. */
export interface FetchTransportOptions {
  /**
   * The `fetch` to use, such as that of a service binding.
   *
   * @defaultValue the global `fetch`, looked up for each request
   */
  readonly fetch?: typeof globalThis.fetch | undefined
}

const fetchOptions = declareOptions<FetchTransportOptions>({ fetch: aFunction })

/**
 * Makes the Transport of browsers and workers, and of Deno and Bun: it sends with `fetch`.
 *
 * It never follows redirects, and rejects a response longer than 16 MiB. `fetch` manages its own
 * connections, so closing the transport
 * ends pending requests and stops further calls.
 *
 * `fetch` does not tell whether a request has left the machine. A write that fails may therefore have
 * been applied, unless the reason shows that no connection came about.
 *
 * In a browser the account must allow the page's origin (CORS) and expose the headers `etag` and
 * `x-ms-*`; otherwise ETags and continuation tokens are invisible.
 *
 * @param options - the `fetch` to use
 * @throws `InputError` (`UnknownOption` or `InvalidOptionValue`)
 *
 * @example
 * ```ts
 * const service = tableService({
 *   endpoint: 'https://contoso.table.core.windows.net',
 *   credential: new SasCredential(sas),
 *   transport: fetchTransport(),
 * })
 * ```
 */
export function fetchTransport(options: FetchTransportOptions = {}): Transport {
  fetchOptions.check(options, 'fetchTransport')
  const { fetch: given } = options
  const ending = new AbortController()
  const pending = new Set<Promise<HttpResponse>>()
  const cors = new CorsCheck()
  let closed = false

  const send: Transport = async (request, limits = {}) => {
    if (closed) throw closedErrorOf(request, false)
    // Bound to the global, because a browser's fetch rejects any other `this`.
    const fetch = given ?? globalThis.fetch.bind(globalThis)
    const exchange = new FetchExchange(request, limits, { fetch, closing: ending.signal, cors })
    const response = exchange.run()
    pending.add(response)
    try {
      return await response
    } finally {
      pending.delete(response)
    }
  }
  const close = async (options: CloseOptions = {}): Promise<void> => {
    closeOptions.check(options, 'close')
    closed = true
    if (!options.drain) ending.abort()
    await Promise.allSettled(pending)
  }
  return Object.assign(send, { close })
}

/** The state that the exchanges of one transport share. */
export interface FetchPlace {
  /** Sends a request. */
  readonly fetch: typeof globalThis.fetch
  /** Aborts when the transport is closed. */
  readonly closing: AbortSignal
  /** Finds out whether the browser blocked a request. */
  readonly cors: CorsCheck
}

/** One pending request of `fetch`: ends with the response, the timeout or the abort. */
export class FetchExchange {
  readonly #request: HttpRequest
  readonly #limits: AttemptLimits
  readonly #place: FetchPlace
  readonly #ending = new AbortController()

  constructor(request: HttpRequest, limits: AttemptLimits, place: FetchPlace) {
    this.#request = request
    this.#limits = limits
    this.#place = place
  }

  /** Sends the request and returns the whole response. */
  run(): Promise<HttpResponse> {
    const { signal, timeout } = this.#limits
    if (signal?.aborted) return Promise.reject(this.#abortError(false))
    return new Promise((resolve, reject) => {
      const end = (error: Error): void => {
        release()
        reject(error)
        this.#ending.abort(error)
      }
      const aborted = (): void => end(this.#abortError(!isRead(this.#request)))
      const closed = (): void => end(closedErrorOf(this.#request, true))
      const onTimeout = (): void => end(timeoutErrorOf(this.#request, timeout ?? 0, true))
      const timer = timeout === undefined ? undefined : setTimeout(onTimeout, timeout)
      const releases = [signal && onAbort(signal, aborted), onAbort(this.#place.closing, closed)]
      const release = (): void => {
        clearTimeout(timer)
        for (const remove of releases) remove?.()
      }
      this.#exchange().then(resolve, reject).finally(release)
    })
  }

  async #exchange(): Promise<HttpResponse> {
    const { method, headers, body } = this.#request
    const { fetch, cors } = this.#place
    const response = await this.#whileConnected(() =>
      fetch(urlOf(this.#request), {
        method,
        headers,
        body: body ?? null,
        redirect: 'manual',
        signal: this.#ending.signal,
      }),
    )
    cors.passed(this.#request)
    // A browser shows a redirect that is not followed without status and headers.
    if (response.type === 'opaqueredirect') throw unreadableResponse(this.#request, 'redirect')
    const bytes = await this.#read(response)
    return {
      status: response.status,
      headers: headersOf(response.headers),
      body: this.#text(bytes),
    }
  }

  async #read(response: Response): Promise<Uint8Array> {
    const reader = response.body?.getReader()
    const chunks: Uint8Array[] = []
    let length = 0
    while (reader !== undefined) {
      const { done, value } = await this.#whileConnected(() => reader.read())
      if (done) break
      length += value.length
      if (length > LONGEST_BODY) {
        this.#ending.abort()
        throw unreadableResponse(this.#request, 'too long')
      }
      chunks.push(value)
    }
    return joined(chunks, length)
  }

  #text(bytes: Uint8Array): string {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch (cause) {
      throw unreadableResponse(this.#request, 'bad UTF-8', cause)
    }
  }

  async #whileConnected<Result>(wait: () => Promise<Result>): Promise<Result> {
    try {
      return await wait()
    } catch (thrown) {
      const cause = causeOf(thrown)
      const { fetch, cors } = this.#place
      const blocked = await cors.errorOf(this.#request, fetch, this.#ending.signal)
      if (blocked !== undefined) throw blocked
      throw transportErrorOf(cause, this.#request, !isConnectionFailure(cause))
    }
  }

  #abortError(mayHaveApplied: boolean): AbortError {
    return new AbortError({ reason: this.#limits.signal?.reason, mayHaveApplied })
  }
}

/** Node puts the error of the socket below one that only says that fetch failed. */
function causeOf(thrown: unknown): Error {
  if (!(thrown instanceof Error)) return new Error(String(thrown))
  return thrown.cause instanceof Error ? thrown.cause : thrown
}

function headersOf(headers: Headers): HttpHeaders {
  const found: Record<string, string> = {}
  headers.forEach((value, name) => {
    found[name] = value
  })
  return found
}

function joined([first, ...rest]: readonly Uint8Array[], length: number): Uint8Array {
  if (first === undefined || rest.length === 0) return first ?? new Uint8Array()
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of [first, ...rest]) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
