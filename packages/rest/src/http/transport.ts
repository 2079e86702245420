import { type DeclaredOptions, declareOptions, trueOrFalse } from '@rowkey/odata'
import type { LocationName } from '../endpoint/endpoint.ts'

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
  readonly readsOnly?: true | undefined
}

/**
 * Tells whether a request only reads, so that it can be repeated and never changes anything.
 *
 * @param request - any request
 */
export function isRead(request: Pick<HttpRequest, 'method' | 'readsOnly'>): boolean {
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

/** Returns a request with another body, or with none. */
export function withBody(request: HttpRequest, body: string | undefined): HttpRequest {
  if (request.body === body) return request
  const { method, origin, path, query, headers, readsOnly } = request
  return { method, origin, path, query, headers, body, readsOnly }
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

/** The options of every `close`. */
export const closeOptions: DeclaredOptions<CloseOptions> = declareOptions<CloseOptions>({
  drain: trueOrFalse,
})

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
