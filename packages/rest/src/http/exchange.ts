import { isAscii, isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher as Undici } from 'undici'
import { AbortError } from '../errors/abort-error.ts'
import { onAbort } from '../wait/on-abort.ts'
import { transportErrorOf } from './connection-failures.ts'
import {
  type AttemptLimits,
  type HttpHeaders,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  isRead,
} from './transport.ts'
import {
  closedErrorOf,
  LONGEST_BODY,
  timeoutErrorOf,
  unreadableResponse,
} from './transport-errors.ts'

/** The promise of an exchange, and the end of its transport. */
export interface Settle {
  /** Aborts when the transport is closed, which ends the exchange. */
  readonly closing: AbortSignal
  readonly resolve: (response: HttpResponse) => void
  readonly reject: (error: unknown) => void
}

const BYTE_ORDER_MARK = '\ufeff'

/**
 * The part of an undici Dispatcher that the transport uses. The public types name this part in place of undici's own,
 * so that the compiler of a program does not read the declarations of undici.
 */
export interface UndiciDispatcher {
  /**
   * Sends a request.
   *
   * @param options - `DispatchOptions` of undici
   * @param handler - a `DispatchHandler` of undici, which receives the response
   */
  dispatch(options: object, handler: object): boolean
}

/** What one request is dispatched with: by undici's own dispatchers, and by that of `node:http`. */
export interface DispatchedRequest {
  readonly method: HttpMethod
  readonly origin: string
  /** The path with its query. */
  readonly path: string
  readonly headers: HttpHeaders
  readonly body: string | null
}

/** What ends a request: undici's controller, or that of another dispatcher. */
export interface Abortable {
  abort(reason: Error): void
}

/** One pending request: collects the response and settles exactly once. */
export class Exchange implements Undici.DispatchHandler {
  readonly #request: HttpRequest
  readonly #limits: AttemptLimits | undefined
  readonly #settle: Settle
  #controller: Abortable | undefined
  #timer: NodeJS.Timeout | undefined
  #settled = false
  #removeAbort: (() => void) | undefined
  #removeClose: (() => void) | undefined
  #status = 0
  #headers: HttpHeaders = {}
  #chunks: Buffer[] = []
  #length = 0

  /**
   * @param request - the request without its body, which waits for no response
   * @param limits - bounds the exchange
   * @param settle - receives the outcome
   */
  constructor(request: HttpRequest, limits: AttemptLimits | undefined, settle: Settle) {
    this.#request = request
    this.#limits = limits
    this.#settle = settle
  }

  /** Whether its caller has a response or an error. */
  get isSettled(): boolean {
    return this.#settled
  }

  /** Passes the request with its body to a dispatcher, unless the signal has already aborted. */
  start(dispatcher: UndiciDispatcher, body: string | undefined): void {
    const { signal, timeout } = this.#limits ?? {}
    if (signal?.aborted) {
      this.#onAbort()
      return
    }
    this.#removeAbort = signal && onAbort(signal, this.#onAbort)
    this.#removeClose = onAbort(this.#settle.closing, this.#onClose)
    if (timeout !== undefined) this.#timer = setTimeout(this.#onTimeout, timeout)
    const { method, origin, path, query, headers } = this.#request
    const target = query === '' ? path : `${path}?${query}`
    try {
      const options: DispatchedRequest = {
        method,
        origin,
        path: target,
        headers,
        body: body ?? null,
      }
      dispatcher.dispatch(options, this)
    } catch (error) {
      // undici's own dispatchers report through the handler; a caller's dispatcher may throw.
      this.onResponseError(undefined, error as Error)
    }
  }

  /** Receives control when the dispatcher has a connection and is about to write the request. */
  onRequestStart(controller: Abortable): void {
    this.#controller = controller
    if (this.#settled)
      controller.abort(new AbortError({ reason: undefined, mayHaveApplied: false }))
  }

  /** Receives the head of a response; informational heads come before the real one. */
  onResponseStart(_controller: Abortable, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    this.#status = status
    this.#headers = singleHeaders(headers)
  }

  onResponseData(controller: Abortable, chunk: Buffer): void {
    this.#length += chunk.length
    if (this.#length <= LONGEST_BODY) {
      this.#chunks.push(chunk)
      return
    }
    const error = unreadableResponse(this.#request, 'too long')
    this.#fail(error)
    controller.abort(error)
  }

  onResponseEnd(): void {
    if (this.#settled) return
    const body = this.#text()
    if (body === undefined) {
      this.#fail(unreadableResponse(this.#request, 'bad UTF-8'))
      return
    }
    this.#release()
    this.#settle.resolve({ status: this.#status, headers: this.#headers, body })
  }

  onResponseError(_controller: Abortable | undefined, error: Error): void {
    if (this.#settled) return
    const sent = this.#controller !== undefined
    this.#fail(transportErrorOf(error, this.#request, sent))
  }

  /** A write may have been applied from the moment when its first byte could be sent. */
  get #mayHaveApplied(): boolean {
    return this.#controller !== undefined && !isRead(this.#request)
  }

  #onAbort = (): void => {
    const reason = this.#limits?.signal?.reason
    this.#fail(new AbortError({ reason, mayHaveApplied: this.#mayHaveApplied }))
  }

  #onClose = (): void => {
    this.#fail(closedErrorOf(this.#request, this.#controller !== undefined))
  }

  #onTimeout = (): void => {
    const sent = this.#controller !== undefined
    this.#fail(timeoutErrorOf(this.#request, this.#limits?.timeout ?? 0, sent))
  }

  #fail(error: Error): void {
    if (this.#settled) return
    this.#release()
    this.#settle.reject(error)
    this.#controller?.abort(error)
  }

  #release(): void {
    this.#settled = true
    clearTimeout(this.#timer)
    this.#removeAbort?.()
    this.#removeClose?.()
  }

  /** Decodes the body; `undefined` when it is not UTF-8. */
  #text(): string | undefined {
    const [first] = this.#chunks
    if (first === undefined) return ''
    const bytes = this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
    // The service escapes all other characters, and Latin-1 is decoded in half the time of UTF-8.
    if (isAscii(bytes)) return bytes.toString('latin1')
    if (!isUtf8(bytes)) return undefined
    const text = bytes.toString('utf8')
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
  }
}

/** Joins the values of a repeated header, as HTTP allows. */
function singleHeaders(headers: IncomingHttpHeaders): HttpHeaders {
  for (const name in headers) {
    const value = headers[name]
    if (Array.isArray(value)) headers[name] = value.join(', ')
  }
  return headers as HttpHeaders
}
