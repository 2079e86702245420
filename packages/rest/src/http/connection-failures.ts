import type { ConnectionFailure } from '../errors/transport-error.ts'
import type { HttpRequest } from './transport.ts'

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

const ADVICE: Readonly<Record<Exclude<ConnectionFailure, 'cors'>, string>> = {
  closed: 'the transport has been closed',
  dns: 'the host was not found. Check the account name and the endpoint',
  other: 'the network failed',
  refused: 'the connection was refused. Check that the service runs there',
  timeout: 'no connection came about in time. Check firewalls and proxies',
  tls: 'TLS failed. Check the certificate, and that the port uses https',
}

/** The reason why no connection came about, and what to do. */
export interface ConnectionAdvice {
  readonly failure: ConnectionFailure
  readonly advice: string
}

/**
 * Returns the reason behind the code of a socket, of OpenSSL or of undici.
 *
 * @param code - the code, or the name of an error without one
 */
export function failureOf(code: string): ConnectionAdvice {
  const failure = FAILURES.get(code) ?? (TLS_CODE.test(code) ? 'tls' : 'other')
  return { failure, advice: ADVICE[failure] }
}

/**
 * Tells whether a code occurs only before a connection is used.
 *
 * @param code - the code, or the name of an error without one
 */
export function isBeforeSending(code: string): boolean {
  return FAILURES.has(code) && !LATE.has(code)
}

/**
 * Names where the connection failed when that is not the service's own host: a proxy, or an address behind a name.
 *
 * @param cause - the error of the socket
 * @param request - the request
 */
export function otherPlaceOf(cause: Error, { origin }: HttpRequest): string {
  const { hostname, address, port } = cause as { readonly [member: string]: unknown } & Error
  const host = hostname ?? address
  if (typeof host !== 'string' || origin.includes(host)) return ''
  return typeof port === 'number' ? ` at ${host}:${port}` : ` at ${host}`
}
