import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { AbortError } from '../errors/abort-error.ts'
import { AttemptTimeoutError } from '../errors/attempt-timeout-error.ts'
import { DecodeError } from '../errors/decode-error.ts'
import { type HttpHeaders, type HttpRequest, isRead } from './http-request.ts'
import type { HttpResponse } from './http-response.ts'
import type { AttemptLimits } from './transport.ts'
import { transportErrorOf } from './transport-error-of.ts'

/** The two ends of the promise that a caller waits on. */
export interface Settle {
  readonly resolve: (response: HttpResponse) => void
  readonly reject: (error: unknown) => void
}

const LONGEST_BODY = 16 * 1024 * 1024
const BYTE_ORDER_MARK = '\ufeff'

/** One request on its way through undici: gathers the answer, and settles exactly once. */
export class UndiciExchange implements Dispatcher.DispatchHandler {
  readonly #request: HttpRequest
  readonly #limits: AttemptLimits | undefined
  readonly #settle: Settle
  #controller: Dispatcher.DispatchController | undefined
  #timer: NodeJS.Timeout | undefined
  #settled = false
  #status = 0
  #headers: HttpHeaders = {}
  #chunks: Buffer[] = []
  #length = 0

  constructor(request: HttpRequest, limits: AttemptLimits | undefined, settle: Settle) {
    this.#request = request
    this.#limits = limits
    this.#settle = settle
  }

  /** Hands the request to undici, unless the signal has aborted already. */
  start(dispatcher: Dispatcher): void {
    const { signal, timeout } = this.#limits ?? {}
    if (signal?.aborted) {
      this.#onAbort()
      return
    }
    signal?.addEventListener('abort', this.#onAbort)
    if (timeout !== undefined) this.#timer = setTimeout(this.#onTimeout, timeout)
    const { method, origin, path, query, headers, body } = this.#request
    const target = query === '' ? path : `${path}?${query}`
    try {
      dispatcher.dispatch({ method, origin, path: target, headers, body: body ?? null }, this)
    } catch (error) {
      // undici's own dispatchers report through the handler; one that a caller gave may throw.
      this.onResponseError(undefined, error as Error)
    }
  }

  /** undici has a connection and is about to write the request. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#settled)
      controller.abort(new AbortError({ reason: undefined, mayHaveApplied: false }))
  }

  /** The head of an answer; informational ones come before the real one. */
  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return
    this.#status = status
    this.#headers = singleHeaders(headers)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#length += chunk.length
    if (this.#length <= LONGEST_BODY) {
      this.#chunks.push(chunk)
      return
    }
    const error = new DecodeError({
      message: `${describe(this.#request)}: the answer is longer than 16 MiB, which no answer of the Table service is.`,
      mayHaveApplied: this.#mayHaveApplied,
    })
    this.#fail(error)
    controller.abort(error)
  }

  onResponseEnd(): void {
    if (this.#settled) return
    this.#release()
    this.#settle.resolve({ status: this.#status, headers: this.#headers, body: this.#text() })
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.#settled) return
    const sent = this.#controller !== undefined
    this.#fail(transportErrorOf(error, this.#request, sent))
  }

  /** A write may have been applied from the moment its first byte could have left. */
  get #mayHaveApplied(): boolean {
    return this.#controller !== undefined && !isRead(this.#request)
  }

  #onAbort = (): void => {
    const reason = this.#limits?.signal?.reason
    this.#fail(new AbortError({ reason, mayHaveApplied: this.#mayHaveApplied }))
  }

  #onTimeout = (): void => {
    const doubt = this.#mayHaveApplied ? ' The outcome is unknown: it may have been applied.' : ''
    this.#fail(
      new AttemptTimeoutError({
        message: `${describe(this.#request)}: no whole answer within ${this.#limits?.timeout} ms.${doubt}`,
        mayHaveApplied: this.#mayHaveApplied,
      }),
    )
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
    this.#limits?.signal?.removeEventListener('abort', this.#onAbort)
  }

  #text(): string {
    const [first] = this.#chunks
    const bytes = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks)
    const text = bytes.toString('utf8')
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
  }
}

/** A header that came more than once is one header whose values are joined, as HTTP has it. */
function singleHeaders(headers: IncomingHttpHeaders): HttpHeaders {
  for (const name in headers) {
    const value = headers[name]
    if (Array.isArray(value)) headers[name] = value.join(', ')
  }
  return headers as HttpHeaders
}

function describe(request: HttpRequest): string {
  return `${request.method} ${request.origin}${request.path}`
}
