import type { HttpRequest } from './http-request.ts'
import type { HttpResponse } from './http-response.ts'

/** What bounds one attempt. */
export interface AttemptLimits {
  /** Ends the attempt when it aborts. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds from the start of the attempt to the last byte of the answer; no limit when absent. */
  readonly timeout?: number | undefined
}

/**
 * Carries one request to a service and brings its answer back, whatever the status.
 *
 * undici, fetch, the embedded service, a fault injector and a recorder are all Transports. A
 * Transport never retries, never follows a redirect, and holds the whole answer before it resolves.
 * It rejects with a {@link TransportError} when there is no whole answer, and with an
 * {@link AbortError} when the signal aborted.
 */
export interface Transport {
  (request: HttpRequest, limits?: AttemptLimits): Promise<HttpResponse>
  /** Lets go of sockets and files; calls afterwards reject. */
  close?(): Promise<void>
}
