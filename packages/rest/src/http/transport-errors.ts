import { DecodeError } from '@rowkey/odata'
import { type ConnectionFailure, doubtOf, TransportError } from '../errors/transport-error.ts'
import { shownCause } from './redact.ts'
import { type HttpRequest, isRead } from './transport.ts'

const FAILURES: ReadonlyMap<string, ConnectionFailure> = new Map([
  ['EAI_AGAIN', 'dns'],
  ['ECONNREFUSED', 'refused'],
  ['ENOTFOUND', 'dns'],
  ['EPROTO', 'tls'],
  ['ETIMEDOUT', 'timeout'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['CERT_NOT_YET_VALID', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'tls'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['UND_ERR_CLOSED', 'closed'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['UND_ERR_DESTROYED', 'closed'],
])

/** Of those, the ones that can also occur after a connection has been used. */
const LATE: ReadonlySet<string> = new Set([
  'EPROTO',
  'ETIMEDOUT',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
])

const TLS_CODE = /^ERR_(?:SSL|TLS)_/

const ADVICE: Readonly<Record<ConnectionFailure, string>> = {
  closed: 'the transport has been closed',
  cors: 'the browser blocked the request',
  dns: 'the host was not found. Check the account name and the endpoint',
  other: 'the network failed',
  refused: 'the connection was refused. Check that the service runs there',
  timeout: 'no connection came about in time. Check firewalls and proxies',
  tls: 'TLS failed. Check the certificate, and that the port uses https',
}

/**
 * Makes the error of a failed exchange.
 *
 * @param cause - the error of the socket or of undici; only its name, code and message are kept
 * @param request - the request; its query may contain a SAS and is not shown
 * @param sent - whether writing the request to a connection had begun
 */
export function transportErrorOf(
  cause: Error,
  request: HttpRequest,
  sent: boolean,
): TransportError {
  const code = codeOf(cause)
  const shown = shownCause(cause)
  if (sent) return lostResponse(shown, code, request)
  return noConnection(shown, `${code}${otherPlaceOf(cause, request)}`, failureOf(code), request)
}

/**
 * Tells whether an error shows that no connection came about, so that nothing was sent.
 *
 * @param error - the error of the socket or of `fetch`
 */
export function isConnectionFailure(error: Error): boolean {
  const code = codeOf(error)
  return FAILURES.has(code) && !LATE.has(code)
}

function noConnection(
  cause: Error,
  reason: string,
  failure: ConnectionFailure,
  request: HttpRequest,
): TransportError {
  return new TransportError({
    code: 'ConnectionFailed',
    message: `Could not connect to ${request.origin}: ${ADVICE[failure]} (${reason}). Nothing was sent.`,
    failure,
    cause,
    mayHaveApplied: false,
  })
}

/** Names where the connection failed when that is not the service's own host: a proxy, or an address behind a name. */
function otherPlaceOf(cause: Error, { origin }: HttpRequest): string {
  const { hostname, address, port } = cause as { readonly [member: string]: unknown } & Error
  const host = hostname ?? address
  if (typeof host !== 'string' || origin.includes(host)) return ''
  return typeof port === 'number' ? ` at ${host}:${port}` : ` at ${host}`
}

/** OpenSSL and Node have hundreds of codes, one for each way that TLS can fail. */
function failureOf(code: string): ConnectionFailure {
  return FAILURES.get(code) ?? (TLS_CODE.test(code) ? 'tls' : 'other')
}

function lostResponse(cause: Error, code: string, request: HttpRequest): TransportError {
  const mayHaveApplied = !isRead(request)
  return new TransportError({
    message: `${request.method} ${request.origin}${request.path}: the connection broke before the whole response arrived (${code}).${doubtOf(mayHaveApplied)}`,
    mayHaveApplied,
    cause,
  })
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/**
 * Makes the error of an attempt that took too long.
 *
 * @param request - the request; its query may contain a SAS and is not shown
 * @param timeout - the limit of the attempt in milliseconds
 * @param sent - whether writing the request to a connection may have begun
 */
export function timeoutErrorOf(
  request: HttpRequest,
  timeout: number,
  sent: boolean,
): TransportError {
  const mayHaveApplied = sent && !isRead(request)
  return new TransportError({
    code: 'AttemptTimeout',
    message: `${request.method} ${request.origin}${request.path}: no whole response within ${timeout} ms.${doubtOf(mayHaveApplied)}`,
    mayHaveApplied,
  })
}

/**
 * Makes the error of a request to a closed transport, or of one that was pending when it was closed.
 *
 * @param request - the request; its query may contain a SAS and is not shown
 * @param sent - whether writing the request to a connection may have begun
 */
export function closedErrorOf(request: HttpRequest, sent: boolean): TransportError {
  if (!sent) return unsentErrorOf(request.origin)
  const mayHaveApplied = !isRead(request)
  return new TransportError({
    message: `${request.method} ${request.origin}${request.path}: the transport was closed before the response arrived. Close with { drain: true } to wait for pending requests.${doubtOf(mayHaveApplied)}`,
    failure: 'closed',
    mayHaveApplied,
  })
}

/**
 * Makes the error of a request that began after its transport or service was closed.
 *
 * @param origin - where the request would have gone
 */
export function unsentErrorOf(origin: string): TransportError {
  return new TransportError({
    code: 'ConnectionFailed',
    message: `Nothing was sent to ${origin}: the transport has been closed.`,
    failure: 'closed',
    mayHaveApplied: false,
  })
}

/** The longest body that is read, in bytes: four times the longest of the service. */
export const LONGEST_BODY: number = 16 * 1024 * 1024

/** Why a response cannot be read. */
export type Unreadable = 'bad UTF-8' | 'redirect' | 'too long'

const REASONS: Readonly<Record<Unreadable, string>> = {
  'bad UTF-8': 'the response is not UTF-8 text, but every response of the Table service is',
  redirect:
    'the response is a redirect. Redirects are never followed, because that would send the credential elsewhere. Check the endpoint',
  'too long': 'the response is longer than 16 MiB, the limit for responses of the Table service',
}

/**
 * Makes the error of a response that cannot be read. The request did reach a server, so a write may
 * have been applied.
 *
 * @param request - the request; its query may contain a SAS and is not shown
 * @param reason - why the response cannot be read
 * @param cause - the error of the decoder
 */
export function unreadableResponse(
  request: HttpRequest,
  reason: Unreadable,
  cause?: unknown,
): DecodeError {
  return new DecodeError({
    message: `${request.method} ${request.origin}${request.path}: ${REASONS[reason]}.`,
    mayHaveApplied: reason !== 'redirect' && !isRead(request),
    cause,
  })
}
