import { AbortError } from '../errors/abort-error.ts'
import { type HttpHeaders, type HttpRequest, isRead } from './http-request.ts'
import type { HttpResponse } from './http-response.ts'
import { timeoutErrorOf } from './timeout-error-of.ts'
import type { AttemptLimits } from './transport.ts'
import { isConnectionFailure, transportErrorOf } from './transport-error-of.ts'
import { LONGEST_BODY, unreadableAnswer } from './unreadable-answer.ts'

/** One request on its way through `fetch`: ends with the answer, the timeout or the abort. */
export class FetchExchange {
  readonly #request: HttpRequest
  readonly #limits: AttemptLimits
  readonly #fetch: typeof globalThis.fetch
  readonly #ending = new AbortController()

  constructor(request: HttpRequest, limits: AttemptLimits, fetch: typeof globalThis.fetch) {
    this.#request = request
    this.#limits = limits
    this.#fetch = fetch
  }

  /** Sends the request and brings the whole answer back. */
  run(): Promise<HttpResponse> {
    const { signal, timeout } = this.#limits
    if (signal?.aborted) return Promise.reject(this.#abortError(false))
    return new Promise((resolve, reject) => {
      const end = (error: Error): void => {
        release()
        reject(error)
        this.#ending.abort(error)
      }
      const onAbort = (): void => end(this.#abortError(!isRead(this.#request)))
      const onTimeout = (): void => end(timeoutErrorOf(this.#request, timeout ?? 0, true))
      const timer = timeout === undefined ? undefined : setTimeout(onTimeout, timeout)
      signal?.addEventListener('abort', onAbort)
      const release = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      this.#exchange().then(resolve, reject).finally(release)
    })
  }

  async #exchange(): Promise<HttpResponse> {
    const { method, headers, body } = this.#request
    const response = await this.#whileConnected(() =>
      this.#fetch(this.#url, {
        method,
        headers,
        body: body ?? null,
        redirect: 'manual',
        signal: this.#ending.signal,
      }),
    )
    // What a browser makes of a redirect that is not followed: no status, no headers.
    if (response.type === 'opaqueredirect') throw unreadableAnswer(this.#request, 'redirect')
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
        throw unreadableAnswer(this.#request, 'too long')
      }
      chunks.push(value)
    }
    return joined(chunks, length)
  }

  #text(bytes: Uint8Array): string {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch (cause) {
      throw unreadableAnswer(this.#request, 'bad UTF-8', cause)
    }
  }

  async #whileConnected<Result>(wait: () => Promise<Result>): Promise<Result> {
    try {
      return await wait()
    } catch (thrown) {
      const cause = causeOf(thrown)
      throw transportErrorOf(cause, this.#request, !isConnectionFailure(cause))
    }
  }

  get #url(): string {
    const { origin, path, query } = this.#request
    return query === '' ? origin + path : `${origin}${path}?${query}`
  }

  #abortError(mayHaveApplied: boolean): AbortError {
    return new AbortError({ reason: this.#limits.signal?.reason, mayHaveApplied })
  }
}

/** Node puts the socket's error below one that says only that fetch failed. */
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
