import { aFunction, checkValue, DecodeError, invalidOption } from '@rowkey/odata'
import { type ConnectionFailure, TransportError } from '../errors/transport-error.ts'
import type {
  CloseOptions,
  HttpHeaders,
  HttpRequest,
  HttpResponse,
  Transport,
} from '../http/transport.ts'

/**
 * Makes a Transport that records the exchanges of another one, for {@link replayingTransport} or for
 * inspection. Aborted requests are not recorded.
 *
 * Recordings contain no signatures, tokens and SAS. They contain keys and values of entities, and are as
 * confidential as the table.
 *
 * @param inner - carries the requests
 * @param sink - receives each exchange after it has ended; it must not throw
 * @throws `InputError` (`InvalidOptionValue`) without a sink
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
  checkValue(inner, aFunction, 'inner', 'recordingTransport')
  if (typeof sink !== 'function') {
    throw invalidOption(
      'sink of recordingTransport must be a function that receives each exchange.',
      'sink',
    )
  }
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
  return Object.assign(send, { close: async (options?: CloseOptions) => inner.close?.(options) })
}

function failureOf(error: TransportError | DecodeError): RecordedFailure {
  const { code, message, mayHaveApplied } = error
  const failure = error instanceof TransportError ? error.failure : undefined
  return { code, message, mayHaveApplied, ...(failure && { failure }) }
}

/** How a request failed without a readable response. */
export interface RecordedFailure {
  /** The error's code: `TransportFailed`, `ConnectionFailed`, `AttemptTimeout`, `UnexpectedResponse`. */
  readonly code: string
  /** The error's message. */
  readonly message: string
  /** Whether the service may have applied the request. */
  readonly mayHaveApplied: boolean
  /** Why no connection came about; only with `ConnectionFailed`. */
  readonly failure?: ConnectionFailure | undefined
}

/**
 * One request and its outcome, as plain data that can be stored as JSON. It contains no signature, token
 * or SAS.
 */
export interface RecordedExchange {
  /** The request, without signature, token and SAS. */
  readonly request: HttpRequest
  /** The response; absent after a failure. */
  readonly response?: HttpResponse | undefined
  /** The failure; absent after a response. */
  readonly failure?: RecordedFailure | undefined
}

/** The parameters of a SAS; no operation uses these names. */
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
 * Removes the Authorization header and the SAS from a request.
 *
 * @param request - a signed request
 */
export function withoutProof(request: HttpRequest): HttpRequest {
  const { query, headers } = request
  return { ...request, query: queryWithoutSas(query), headers: openHeaders(headers) }
}

/**
 * Removes signatures that a response repeats: a redirect contains the URL, and an error may quote the
 * signature.
 *
 * @param response - a response
 */
export function withoutEcho(response: HttpResponse): HttpResponse {
  const { status, body } = response
  return {
    status,
    headers: openHeaders(response.headers),
    body: status < 300 ? body : withoutSignatures(body),
  }
}

/** A signature: 32 bytes in base64, with the `=` at the end. */
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
