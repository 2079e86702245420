import { DecodeError } from '@rowkey/odata'
import { type ConnectionFailure, TransportError } from '../errors/transport-error.ts'
import { shownCause } from './redact.ts'
import { type HttpRequest, isRead } from './transport.ts'

const FAILURES: ReadonlyMap<string, ConnectionFailure> = new Map([
  ['EAI_AGAIN', 'dns'],
  ['ECONNREFUSED', 'refused'],
  ['ENOTFOUND', 'dns'],
  ['EPROTO', 'tls'],
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

/** Of those, the ones that can also come when a connection has been in use. */
const LATE: ReadonlySet<string> = new Set(['EPROTO', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'])

const TLS_CODE = /^ERR_(?:SSL|TLS)_/

const ADVICE: Readonly<Record<ConnectionFailure, string>> = {
  closed: 'the transport has been closed',
  dns: 'no such host was found. Check the account name and the endpoint',
  other: 'the network failed',
  refused: 'the connection was refused. Is the service running there?',
  timeout: 'no connection came about in time. Is a firewall or a proxy in the way?',
  tls: 'TLS failed. Check the certificate, and that the port speaks https',
}

/**
 * What a failed exchange means to the caller.
 *
 * @param cause - what the socket or undici said; only its name, code and message are passed on
 * @param request - what was to be sent; its query may hold a SAS and is not shown
 * @param sent - whether the request began to be written to a connection
 */
export function transportErrorOf(
  cause: Error,
  request: HttpRequest,
  sent: boolean,
): TransportError {
  const code = codeOf(cause)
  const shown = shownCause(cause)
  return sent ? lostAnswer(shown, code, request) : noConnection(shown, code, request)
}

/**
 * Whether an error shows that no connection came about, so that nothing can have been sent.
 *
 * @param error - what the socket or `fetch` said
 */
export function isConnectionFailure(error: Error): boolean {
  const code = codeOf(error)
  return FAILURES.has(code) && !LATE.has(code)
}

function noConnection(cause: Error, code: string, request: HttpRequest): TransportError {
  const failure = failureOf(code)
  return new TransportError({
    code: 'ConnectionFailed',
    message: `Could not connect to ${request.origin}: ${ADVICE[failure]} (${code}). Nothing was sent.`,
    failure,
    cause,
    mayHaveApplied: false,
  })
}

/** OpenSSL and Node have hundreds of codes of their own, one for each way that TLS can fail. */
function failureOf(code: string): ConnectionFailure {
  return FAILURES.get(code) ?? (TLS_CODE.test(code) ? 'tls' : 'other')
}

function lostAnswer(cause: Error, code: string, request: HttpRequest): TransportError {
  const mayHaveApplied = !isRead(request)
  const doubt = mayHaveApplied ? ' The outcome is unknown: it may have been applied.' : ''
  return new TransportError({
    message: `${request.method} ${request.origin}${request.path}: the connection broke before the whole answer had come (${code}).${doubt}`,
    mayHaveApplied,
    cause,
  })
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/**
 * What it means to the caller that no whole answer came in time.
 *
 * @param request - what was to be sent; its query may hold a SAS and is not shown
 * @param timeout - the milliseconds that the attempt had
 * @param sent - whether the request may have begun to be written to a connection
 */
export function timeoutErrorOf(
  request: HttpRequest,
  timeout: number,
  sent: boolean,
): TransportError {
  const mayHaveApplied = sent && !isRead(request)
  const doubt = mayHaveApplied ? ' The outcome is unknown: it may have been applied.' : ''
  return new TransportError({
    code: 'AttemptTimeout',
    message: `${request.method} ${request.origin}${request.path}: no whole answer within ${timeout} ms.${doubt}`,
    mayHaveApplied,
  })
}

/** The longest body that is read, in bytes: four times the longest that the service sends. */
export const LONGEST_BODY: number = 16 * 1024 * 1024

/** Why a body is not read, or not to its end. */
export type Unreadable = 'bad UTF-8' | 'redirect' | 'too long'

const REASONS: Readonly<Record<Unreadable, string>> = {
  'bad UTF-8': 'the answer is not text in UTF-8, which every answer of the Table service is',
  redirect:
    'the answer is a redirect. Redirects are never followed, because that would send the credential elsewhere. Check the endpoint',
  'too long': 'the answer is longer than 16 MiB, which no answer of the Table service is',
}

/**
 * What it means to the caller that an answer cannot be read. It came all the same, so a write may
 * have been applied.
 *
 * @param request - what was sent; its query may hold a SAS and is not shown
 * @param reason - why the answer cannot be read
 * @param cause - the decoder's error, when there is one
 */
export function unreadableAnswer(
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
