import { isRowkeyError } from '@rowkey/odata'
import type { LocationName } from '../endpoint/endpoint.ts'
import { AbortError } from '../errors/abort-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import { onAbort } from '../options/on-abort.ts'
import { shownCause } from './redact.ts'

/** Verbs of the Table service. `MERGE` is its own verb for a partial update. */
export type HttpMethod = 'DELETE' | 'GET' | 'HEAD' | 'MERGE' | 'OPTIONS' | 'PATCH' | 'POST' | 'PUT'

/** Header names in lower case, each with one value. */
export type HttpHeaders = Readonly<Record<string, string>>

/** One request as plain data: everything that goes on the wire, and nothing else. */
export interface HttpRequest {
  /** The verb. */
  readonly method: HttpMethod
  /** Scheme, host and port, such as `https://contoso.table.core.windows.net`. */
  readonly origin: string
  /** The percent-encoded path, exactly as it is sent and signed; begins with `/`. */
  readonly path: string
  /** The percent-encoded query without `?`; empty when the request has no query. */
  readonly query: string
  /** The headers, without those that the connection adds. */
  readonly headers: HttpHeaders
  /** Text, sent as UTF-8; `undefined` when the request has no body. */
  readonly body: string | undefined
  /** Marks a POST that only reads: a batch of one read. It is not sent. */
  readonly readsOnly?: true
}

/**
 * Tells whether a request only reads, so that it can be repeated and never changes anything.
 *
 * @param request - any request
 */
export function isRead(request: HttpRequest): boolean {
  if (request.readsOnly === true) return true
  return request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
}

/**
 * Writes where a request goes as one URL.
 *
 * @param request - any request; the URL of a signed one may contain a SAS
 */
export function urlOf({ origin, path, query }: HttpRequest): string {
  return query === '' ? origin + path : `${origin}${path}?${query}`
}

/** One response as plain data. */
export interface HttpResponse {
  /** The HTTP status. */
  readonly status: number
  /** The headers. */
  readonly headers: HttpHeaders
  /** The whole body, decoded from UTF-8; empty when the response has no body. */
  readonly body: string
  /**
   * The account's location that sent the response, for the operation that reads it. A Transport
   * leaves it out.
   *
   * @defaultValue `'primary'`
   */
  readonly location?: LocationName | undefined
}

/** The limits of one attempt. */
export interface AttemptLimits {
  /** Ends the attempt when it aborts. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds from the start of the attempt to the last byte of the response; no limit when absent. */
  readonly timeout?: number | undefined
}

/** How to close a transport, a service or an account. */
export interface CloseOptions {
  /**
   * Whether to complete first what is pending: the requests of a transport, the calls of a service or an
   * account. A query or bulk write is pending until its last request. Without it they end at once, and a write among them may have been applied.
   *
   * @defaultValue `false`
   */
  readonly drain?: boolean | undefined
}

/**
 * Carries one request to a service and returns the response, whatever its status.
 *
 * undici, fetch, the embedded service, a fault injector and a recorder are all Transports. A
 * Transport never retries, never follows a redirect, and resolves with the whole response. It rejects
 * with a {@link TransportError} without a whole response, and with an `AbortError` when the
 * signal aborts.
 */
export interface Transport {
  (request: HttpRequest, limits?: AttemptLimits): Promise<HttpResponse>
  /**
   * Releases sockets and files; later calls reject. Pending requests end at once, unless `drain` is set.
   */
  close?(options?: CloseOptions): Promise<void>
}

/**
 * Makes a caller's Transport keep the contract: whatever it rejects with, and a result that is not an
 * {@link HttpResponse}, becomes a {@link TransportError}, after which a write may have been applied. When the
 * signal aborts, the call ends with an `AbortError`, even if the transport ignores the signal. `cause` has only
 * name, code and message of the transport's error, because the rest may contain the signed request.
 *
 * @param transport - a Transport that may reject with anything
 */
export function withTransportErrors(transport: Transport): Transport {
  const send: Transport = async (request, limits) => {
    const signal = limits?.signal
    if (signal?.aborted) throw new AbortError({ reason: signal.reason, mayHaveApplied: false })
    const aborted = (): AbortError =>
      new AbortError({ reason: signal?.reason, mayHaveApplied: !isRead(request) })
    const response = responseOf(transport, request, limits)
    try {
      const whole = await (signal === undefined
        ? response
        : untilAborted(response, signal, aborted))
      // The Headers of fetch would hide the ETag.
      if (typeof whole.headers.get !== 'function' && typeof whole.body === 'string') return whole
    } catch (cause) {
      if (isRowkeyError(cause)) throw cause
      if (signal?.aborted) throw aborted()
      throw failed(request, 'failed', shownCause(cause))
    }
    throw failed(request, 'returned no { status, headers, body }')
  }
  return Object.assign(send, {
    close: async (options?: CloseOptions) => transport.close?.(options),
  })
}

/** Async, so that a transport that throws rejects. */
async function responseOf(
  transport: Transport,
  request: HttpRequest,
  limits: AttemptLimits | undefined,
): Promise<HttpResponse> {
  return transport(request, limits)
}

function failed(request: HttpRequest, problem: string, cause?: unknown): TransportError {
  return new TransportError({
    message: `${request.method} ${request.origin}${request.path}: the transport ${problem}.`,
    mayHaveApplied: !isRead(request),
    cause,
  })
}

/**
 * Waits for work until a signal aborts. Work that listens to the signal rejects first, with an error
 * that knows whether anything was sent.
 *
 * @param work - the pending work
 * @param signal - ends the wait
 * @param aborted - makes the error of a wait that ended early
 */
export function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  aborted: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    // A rejection of this turn arrives before the timer.
    const stop = (): void => void setTimeout(() => reject(aborted()))
    const release = onAbort(signal, stop)
    if (signal.aborted) stop()
    work.then(resolve, reject).finally(release)
  })
}
