import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpHeaders, HttpMethod, HttpRequest } from '@rowkey/rest'
import { LOOPBACK } from '../delivery/delivery.ts'
import { Rejection, type RejectionCode } from '../rejection/rejection.ts'
import { ClientGone } from '../request/client.ts'
import { MAX_BODY_SIZE, VERBS } from '../request/read-request.ts'

/** Limits how many bytes a listener holds for its clients, over all connections. */
export class MemoryBudget {
  #left: number

  /** @param bytes - the limit */
  constructor(bytes: number) {
    this.#left = bytes
  }

  /** Whether nothing is left. */
  get isSpent(): boolean {
    return this.#left <= 0
  }

  /** Makes the share of one request, empty at first. */
  share(): MemoryShare {
    let taken = 0
    const force = (bytes: number): void => {
      this.#left -= bytes
      taken += bytes
    }
    return {
      force,
      take: (bytes) => {
        if (bytes > this.#left) return false
        force(bytes)
        return true
      },
      release: () => {
        this.#left += taken
        taken = 0
      },
    }
  }
}

/** The bytes that one request holds. */
export interface MemoryShare {
  /** Takes more bytes. Returns false and takes nothing when not so many are left. */
  take(bytes: number): boolean
  /** Takes more bytes even when they are not left: for a response that must be sent. */
  force(bytes: number): void
  /** Gives everything back. */
  release(): void
}

const ORIGIN_FORM = /^(?:https?:\/\/[^/?#]*)?(\/[^?]*)(?:\?(.*))?$/is

/**
 * Reads a request without its body. The target stays exactly as it was sent.
 *
 * @param scheme - the scheme of the listener
 */
export function readRequestHead(
  message: IncomingMessage,
  scheme: 'http' | 'https' = 'http',
): HttpRequest {
  const [, path = '', query = ''] = ORIGIN_FORM.exec(message.url ?? '') ?? []
  return {
    // The parser allows other verbs; {@link checkHead} rejects them.
    method: message.method as HttpMethod,
    origin: `${scheme}://${message.headers.host ?? ''}`,
    path,
    query,
    // Names are in lower case. Only set-cookie would be a list, and requests have none.
    headers: message.headers as HttpHeaders,
    body: undefined,
  }
}

/** A name or an IPv6 address, and a port. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d{0,5})?$/i

const BODY_VERBS: ReadonlySet<string> = new Set(['MERGE', 'PATCH', 'POST', 'PUT'])

/**
 * Rejects a request that is valid HTTP but can never be valid for the service.
 *
 * @throws Rejection
 */
export function checkHead(message: IncomingMessage, request: HttpRequest): void {
  const { headers } = message
  if (!VERBS.has(request.method)) throw new Rejection('UnsupportedHttpVerb')
  if (!headers.host) throw new Rejection('HostInformationNotPresent')
  if (hostCount(message.rawHeaders) > 1) {
    throw new Rejection('InvalidHeaderValue', { text: 'There is more than one Host header.' })
  }
  if (!HOST.test(headers.host)) {
    throw new Rejection('InvalidHeaderValue', { text: 'The Host header is not a host and a port.' })
  }
  if (request.path === '') throw new Rejection('InvalidUri')
  const hasLength =
    headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  if (BODY_VERBS.has(request.method) && !hasLength) {
    throw new Rejection('MissingContentLengthHeader')
  }
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw new Rejection('NotImplemented', {
      text: `The Transfer-Encoding '${coding}' is not supported: send the body as it is, or chunked.`,
    })
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Rejection('MediaTypeNotSupported', {
      text: `The Content-Encoding '${encoding}' is not supported: send the body as it is.`,
    })
  }
  if (Number(headers['content-length']) > MAX_BODY_SIZE) {
    throw new Rejection('RequestBodyTooLarge')
  }
}

/** Tells whether a client sends its body only after `100 Continue`. */
export function isWaiting({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.1' && /^100-continue$/i.test(headers.expect ?? '')
}

/** Counts the Host headers. `headers` has the first; another server may use the last. */
function hostCount(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') count += 1
  }
  return count
}

/** How many bytes of a rejected body a client may send. */
const MAX_DISCARDED = 16 * MAX_BODY_SIZE

/**
 * Reads the rest of a rejected request and keeps nothing. A closed connection would reset, and a client
 * that is still sending would not see its response.
 *
 * @param message - the request
 * @param onEnd - called at its end, or after 64 MiB
 */
export function discardRest(message: IncomingMessage, onEnd: () => void): void {
  let discarded = 0
  message.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > MAX_DISCARDED) onEnd()
  })
  message.once('end', onEnd)
  message.resume()
}

/**
 * Reads the whole body as text. It stops at a body that it rejects.
 *
 * @param share - the bytes that the listener may hold
 * @throws Rejection RequestBodyTooLarge, ServerBusy when the listener holds too much, or
 * InvalidInput when the body is not UTF-8
 * @throws ClientGone when the client goes away
 */
export async function readBody(message: IncomingMessage, share: MemoryShare): Promise<string> {
  const chunks: Buffer[] = []
  // Events cost a fraction of an iterator.
  await new Promise<void>((resolve, reject) => {
    let size = 0
    const keep = (chunk: Buffer): void => {
      size += chunk.length
      if (size > MAX_BODY_SIZE) stop('RequestBodyTooLarge')
      else if (share.take(chunk.length)) chunks.push(chunk)
      else stop('ServerBusy')
    }
    const stop = (code: RejectionCode): void => {
      message.off('data', keep)
      share.release()
      reject(new Rejection(code))
    }
    message.on('data', keep)
    message.once('end', resolve)
    message.once('error', () => reject(new ClientGone()))
    message.once('close', () => reject(new ClientGone()))
  })
  const [first, ...more] = chunks
  const bytes = first === undefined || more.length > 0 ? Buffer.concat(chunks) : first
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw new Rejection('InvalidInput', { text: 'The request body is not UTF-8.' })
}

/** Tells whether a request has a body. Most have none, and need not wait for its end. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** Returns a client's IP address. An IPv4 address has its usual form even on an IPv6 socket. */
export function clientAddress({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
  return remoteAddress === '::1' ? LOOPBACK : remoteAddress.replace(MAPPED, '$1')
}
