import type { HttpHeaders, HttpRequest } from '../http/http-request.ts'
import type { HttpResponse } from '../http/http-response.ts'

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
