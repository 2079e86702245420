import { aFunction, declareOptions } from '@rowkey/odata'
import { AbortError } from '../errors/abort-error.ts'
import { onAbort } from '../wait/on-abort.ts'
import { CorsCheck, checkHeadersShown } from './cors-check.ts'
import { FetchConnections } from './fetch-connections.ts'
import { fetchErrorOf } from './fetch-errors.ts'
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
  LONGEST_BODY,
  timeoutErrorOf,
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
 * `x-ms-*`; otherwise ETags are invisible, and queries fail.
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
  const connections = new FetchConnections()
  let closed = false

  const send: Transport = async (request, limits = {}) => {
    if (closed) throw closedErrorOf(request, false)
    // Bound to the global, because a browser's fetch rejects any other `this`.
    const fetch = given ?? globalThis.fetch.bind(globalThis)
    const exchange = {
      request,
      headers: connections.begin(request),
      fetch,
      cors,
      closing: ending.signal,
    }
    const response = exchangeWithin(limits, exchange)
    pending.add(response)
    let status: number | undefined
    try {
      const whole = await response
      status = whole.status
      return whole
    } finally {
      pending.delete(response)
      connections.end(request.origin, status)
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

/** One pending request of `fetch`. */
interface FetchExchange {
  readonly request: HttpRequest
  /** The headers of the request, and those for its connection. */
  readonly headers: HttpHeaders
  readonly fetch: typeof globalThis.fetch
  /** Finds out whether the browser blocked a request. */
  readonly cors: CorsCheck
}

/** Ends with the response, the timeout or the abort, or when `closing` aborts. */
function exchangeWithin(
  { signal, timeout }: AttemptLimits,
  { closing, ...exchange }: FetchExchange & { readonly closing: AbortSignal },
): Promise<HttpResponse> {
  const { request } = exchange
  const abortError = (mayHaveApplied: boolean): AbortError =>
    new AbortError({ reason: signal?.reason, mayHaveApplied })
  if (signal?.aborted) return Promise.reject(abortError(false))
  const ending = new AbortController()
  return new Promise((resolve, reject) => {
    const end = (error: Error): void => {
      release()
      reject(error)
      ending.abort(error)
    }
    const aborted = (): void => end(abortError(!isRead(request)))
    const closed = (): void => end(closedErrorOf(request, true))
    const onTimeout = (): void => end(timeoutErrorOf(request, timeout ?? 0, true))
    const timer = timeout === undefined ? undefined : setTimeout(onTimeout, timeout)
    const releases = [signal && onAbort(signal, aborted), onAbort(closing, closed)]
    const release = (): void => {
      clearTimeout(timer)
      for (const remove of releases) remove?.()
    }
    responseOf(exchange, ending).then(resolve, reject).finally(release)
  })
}

async function responseOf(exchange: FetchExchange, ending: AbortController): Promise<HttpResponse> {
  const { request, headers, fetch, cors } = exchange
  const { method, body } = request
  const { signal } = ending
  const response = await whileConnected(exchange, signal, () =>
    fetch(urlOf(request), { method, headers, body: body ?? null, redirect: 'manual', signal }),
  )
  cors.passed(request)
  // A browser shows a redirect that is not followed without status and headers.
  if (response.type === 'opaqueredirect') throw unreadableResponse(request, 'redirect')
  const text = await textOf(exchange, ending, response)
  checkHeadersShown(request, response)
  return { status: response.status, headers: Object.fromEntries(response.headers), body: text }
}

async function textOf(
  exchange: FetchExchange,
  ending: AbortController,
  { body }: Response,
): Promise<string> {
  const { request } = exchange
  const reader = body?.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let length = 0
  while (reader !== undefined) {
    const { done, value } = await whileConnected(exchange, ending.signal, () => reader.read())
    length += value?.length ?? 0
    try {
      text += decoder.decode(value, { stream: !done })
    } catch (cause) {
      ending.abort()
      throw unreadableResponse(request, 'bad UTF-8', cause)
    }
    if (done) break
    if (length <= LONGEST_BODY) continue
    ending.abort()
    throw unreadableResponse(request, 'too long')
  }
  return text
}

async function whileConnected<Result>(
  { request, fetch, cors }: FetchExchange,
  signal: AbortSignal,
  wait: () => Promise<Result>,
): Promise<Result> {
  try {
    return await wait()
  } catch (thrown) {
    const cause = causeOf(thrown)
    const blocked = await cors.errorOf(request, fetch, signal)
    if (blocked !== undefined) throw blocked
    throw fetchErrorOf(cause, request)
  }
}

/** Node puts the error of the socket below one that only says that fetch failed. */
function causeOf(thrown: unknown): Error {
  if (!(thrown instanceof Error)) return new Error(String(thrown))
  return thrown.cause instanceof Error ? thrown.cause : thrown
}
