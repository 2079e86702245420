/** Verbs of the Table service. `MERGE` is its own word for a partial update. */
export type HttpMethod = 'DELETE' | 'GET' | 'HEAD' | 'MERGE' | 'OPTIONS' | 'PATCH' | 'POST' | 'PUT'

/** Header names in lower case, each with its one value. */
export type HttpHeaders = Readonly<Record<string, string>>

/** One request as plain data: everything that goes on the wire, and nothing else. */
export interface HttpRequest {
  /** The verb. */
  readonly method: HttpMethod
  /** Scheme, host and port, such as `https://contoso.table.core.windows.net`. */
  readonly origin: string
  /** The percent-encoded path exactly as it is sent and signed; begins with `/`. */
  readonly path: string
  /** The percent-encoded query without its `?`; empty when there is none. */
  readonly query: string
  /** The headers, without those that the connection adds. */
  readonly headers: HttpHeaders
  /** Text, sent as UTF-8; `undefined` when the request has no body. */
  readonly body: string | undefined
  /** Says of a POST that it only reads: a batch of one read. It is not sent. */
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
