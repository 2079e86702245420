import { type ConnectionFailure, TransportError } from '../errors/transport-error.ts'
import { shownCause } from './redact.ts'
import type { HttpRequest } from './transport.ts'
import { codeOf, lostResponseOf } from './transport-errors.ts'

const FAILURES: ReadonlyMap<string, keyof typeof ADVICE> = new Map([
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

/** OpenSSL and Node have hundreds of codes, one for each way that TLS can fail. */
const TLS_CODE = /^ERR_(?:SSL|TLS)_/

const ADVICE: Readonly<Record<Exclude<ConnectionFailure, 'cors' | 'proxy'>, string>> = {
  closed: 'the transport has been closed',
  dns: 'the host was not found. Check the account name and the endpoint',
  other: 'the network failed',
  refused: 'the connection was refused. Check that the service runs there',
  timeout: 'no connection came about in time. Check firewalls and proxies',
  tls: 'TLS failed. Check the certificate, and that the port uses https',
}

/**
 * Makes the error of a failed exchange.
 *
 * @param cause - the error of the socket or of undici; only its name, code and message are copied
 * @param request - the request; its query may contain a SAS and is not shown
 * @param sent - whether writing the request to a connection had begun
 */
export function transportErrorOf(
  cause: Error,
  request: HttpRequest,
  sent: boolean,
): TransportError {
  if (sent) return lostResponseOf(cause, request)
  const code = codeOf(cause)
  const failure = FAILURES.get(code) ?? (TLS_CODE.test(code) ? 'tls' : 'other')
  if (cause instanceof ProxyError) return proxyFailed(cause, request, failure)
  const start = failure === 'refused' ? serveAdvice(request.origin) : ''
  return new TransportError({
    code: 'ConnectionFailed',
    message: `Could not connect to ${request.origin}: ${ADVICE[failure]}${start} (${code}${otherPlaceOf(cause, request)}). Nothing was sent.`,
    failure,
    cause: shownCause(cause),
    mayHaveApplied: false,
  })
}

/** The failure of a proxy that carried no request. */
class ProxyError extends Error {
  /** The code of the socket, or `HTTP 407`. */
  readonly code: string
  /** The proxy and where it is named. */
  readonly proxy: string
  /** Its response to the request for a tunnel; `undefined` when none came. */
  readonly status: number | undefined

  constructor(proxy: string, reason: Error | number) {
    const isStatus = typeof reason === 'number'
    super(isStatus ? `The proxy responded with ${reason}.` : reason.message)
    this.code = isStatus ? `HTTP ${reason}` : codeOf(reason)
    this.proxy = proxy
    this.status = isStatus ? reason : undefined
  }
}

/**
 * Makes the error of a proxy that carried no request.
 *
 * @param proxy - the proxy, without its password, and where it is named
 * @param reason - the error of its socket, or the status of its response
 */
export function proxyError(proxy: string, reason: Error | number): Error {
  return new ProxyError(proxy, reason)
}

const PROXY_ADVICE: Readonly<Record<Exclude<ConnectionFailure, 'cors' | 'proxy'>, string>> = {
  closed: 'closed the connection. Check that it is a proxy for https',
  dns: 'has an unknown host. Correct its URL',
  other: 'carried nothing',
  refused: 'refused the connection. Check that it runs there',
  timeout: 'did not respond in time. Check its URL and firewalls',
  tls: 'failed to use TLS. Check its certificate, and whether its URL begins with http or https',
}

function proxyFailed(
  cause: ProxyError,
  { origin }: HttpRequest,
  failure: keyof typeof PROXY_ADVICE,
): TransportError {
  const { proxy, status, code } = cause
  const problem = status === undefined ? PROXY_ADVICE[failure] : statusAdvice(status)
  // Only the user can mend what the proxy rejects.
  const isRejected = status !== undefined && status >= 400 && status < 500
  return new TransportError({
    code: 'ConnectionFailed',
    message: `Could not connect to ${origin}: ${proxy} ${problem} (${code}). Nothing was sent.`,
    failure: isRejected ? 'proxy' : failure,
    cause: shownCause(cause),
    mayHaveApplied: false,
  })
}

function statusAdvice(status: number): string {
  if (status === 407) return 'requires authentication. Check the user and the password in its URL'
  if (status >= 500) return 'could not reach the host. Try again later, or ask who runs it'
  return 'does not permit the host. Ask who runs it, or add the host to NO_PROXY'
}

/** Plain http to this machine is almost always for an emulator; its own port is 10002. */
const THIS_MACHINE = /^http:\/\/(?:localhost|127\.[\d.]{1,11}|\[::1\])(?::(\d{1,5}))?$/

function serveAdvice(origin: string): string {
  const found = THIS_MACHINE.exec(origin)
  if (found === null) return ''
  const port = found[1] === '10002' ? '' : ` --port ${found[1] ?? 80}`
  return `, or start the embedded service with 'npx rowkey serve${port}'`
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

/** Names where the connection failed when that is not the service's own host: a proxy, or an address behind a name. */
function otherPlaceOf(cause: Error, { origin }: HttpRequest): string {
  const { hostname, address, port } = cause as { readonly [member: string]: unknown } & Error
  const host = hostname ?? address
  if (typeof host !== 'string' || origin.includes(host)) return ''
  return typeof port === 'number' ? ` at ${host}:${port}` : ` at ${host}`
}
