import { DecodeError } from '@rowkey/odata'
import { type ConnectionFailure, TransportError } from '../errors/transport-error.ts'
import type { HttpHeaders, HttpRequest, HttpResponse, Transport } from '../http/transport.ts'

/**
 * A Transport that sends through another and keeps what went to and fro, for
 * {@link replayingTransport} or to look at. An abort is the caller's own doing and is not kept.
 *
 * Signatures, tokens and SAS are left out. Keys and values of entities are not: what is recorded is
 * as confidential as the table.
 *
 * @param inner - what carries the requests
 * @param sink - is given each exchange once it has ended; it must not throw
 *
 * @example
 * ```ts
 * const exchanges: RecordedExchange[] = []
 * const transport = recordingTransport(undiciTransport(), (exchange) => exchanges.push(exchange))
 * ```
 */
export function recordingTransport(
  inner: Transport,
  sink: (exchange: RecordedExchange) => void,
): Transport {
  const send: Transport = async (request, limits) => {
    const recorded = withoutProof(request)
    try {
      const response = await inner(request, limits)
      sink({ request: recorded, response: withoutEcho(response) })
      return response
    } catch (error) {
      if (error instanceof TransportError || error instanceof DecodeError) {
        sink({ request: recorded, failure: failureOf(error) })
      }
      throw error
    }
  }
  return Object.assign(send, { close: async () => inner.close?.() })
}

function failureOf(error: TransportError | DecodeError): RecordedFailure {
  const { code, message, mayHaveApplied } = error
  const failure = error instanceof TransportError ? error.failure : undefined
  return { code, message, mayHaveApplied, ...(failure && { failure }) }
}

/** How a request ended without an answer that could be read. */
export interface RecordedFailure {
  /** The error's code: `TransportFailed`, `ConnectionFailed`, `AttemptTimeout`, `UnexpectedAnswer`. */
  readonly code: string
  /** The error's message. */
  readonly message: string
  /** Whether the service may have done what was asked. */
  readonly mayHaveApplied: boolean
  /** Why no connection came about; only beside `ConnectionFailed`. */
  readonly failure?: ConnectionFailure | undefined
}

/**
 * One request and what came of it, as plain data that can be kept as JSON. Who asked is not in it:
 * neither a signature nor a token nor a SAS.
 */
export interface RecordedExchange {
  /** What was sent, without the proof of who asked. */
  readonly request: HttpRequest
  /** The answer; absent when there was none. */
  readonly response?: HttpResponse | undefined
  /** Why there was no answer; absent when there was one. */
  readonly failure?: RecordedFailure | undefined
}

/** The parameters of a SAS; no operation has one of these names. */
const SAS_PARAMETERS: ReadonlySet<string> = new Set(
  'sv sr ss srt sp st se spr sip si tn spk srk epk erk sig'.split(' '),
)

const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'set-cookie',
])

const SIGNATURE = /(\bsig=)[^&\s"'<]+/gi

/**
 * A request without what proves who asks: its Authorization header, and the SAS in its query.
 *
 * @param request - a request as it is sent
 */
export function withoutProof(request: HttpRequest): HttpRequest {
  const { query, headers } = request
  return { ...request, query: queryWithoutSas(query), headers: openHeaders(headers) }
}

/**
 * An answer without what it may repeat of the proof: a redirect repeats the URL, and a refusal may
 * quote the signature.
 *
 * @param response - an answer as it came
 */
export function withoutEcho(response: HttpResponse): HttpResponse {
  const { status, body } = response
  return {
    status,
    headers: openHeaders(response.headers),
    body: status < 300 ? body : withoutSignatures(body),
  }
}

/** A signature is 32 bytes in base64, here with the `=` at its end. */
const BARE_SIGNATURE = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}=/g

function withoutSignatures(text: string): string {
  return text.replace(SIGNATURE, '$1<redacted>').replace(BARE_SIGNATURE, '<redacted>')
}

function queryWithoutSas(query: string): string {
  const isOpen = (pair: string) => !SAS_PARAMETERS.has(pair.split('=', 1)[0] ?? '')
  return query.split('&').filter(isOpen).join('&')
}

function openHeaders(headers: HttpHeaders): HttpHeaders {
  const open: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (!SECRET_HEADERS.has(name)) open[name] = value.replace(SIGNATURE, '$1<redacted>')
  }
  return open
}
