import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpHeaders, HttpMethod, HttpRequest } from '@rowkey/rest'
import { LOOPBACK } from '../delivery/delivery.ts'
import { Rejection } from '../rejection/rejection.ts'
import type { RejectionCode } from '../rejection/rejection-codes.ts'
import { MAX_BODY_SIZE } from '../request/request-checks.ts'
import type { MemoryShare } from './memory-budget.ts'

const ORIGIN_FORM = /^(?:https?:\/\/[^/?#]*)?(\/[^?]*)(?:\?(.*))?$/is

/** A request without its body, as it came over HTTP: the target is kept exactly as it was sent. */
export function readRequestHead(message: IncomingMessage): HttpRequest {
  const [, path = '', query = ''] = ORIGIN_FORM.exec(message.url ?? '') ?? []
  return {
    // Anything the parser lets through; the listener refuses what is no verb of the service.
    method: message.method as HttpMethod,
    origin: `http://${message.headers.host ?? ''}`,
    path,
    query,
    // Names are in lower case; only set-cookie, which no request has, would be a list.
    headers: message.headers as HttpHeaders,
    body: undefined,
  }
}

const VERBS: ReadonlySet<string> = new Set([
  'DELETE',
  'GET',
  'HEAD',
  'MERGE',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
])
const BODY_VERBS: ReadonlySet<string> = new Set(['MERGE', 'PATCH', 'POST', 'PUT'])

/**
 * Rejects a request that is valid HTTP but can never be a request to the service.
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
  if (request.path === '') throw new Rejection('InvalidUri')
  const hasLength =
    headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  if (BODY_VERBS.has(request.method) && !hasLength) {
    throw new Rejection('MissingContentLengthHeader')
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Rejection('MediaTypeNotSupported', {
      text: `The Content-Encoding '${encoding}' is not supported: send the body as it is.`,
    })
  }
  // A client that waits for the go-ahead need not send such a body at all.
  if (isWaiting(message) && Number(headers['content-length']) > MAX_BODY_SIZE) {
    throw new Rejection('RequestBodyTooLarge')
  }
}

/** Whether a client sends its body only after `100 Continue`. */
export function isWaiting({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.1' && /^100-continue$/i.test(headers.expect ?? '')
}

/** Node keeps the first of several in `headers`, where another server may keep the last. */
function hostCount(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') count += 1
  }
  return count
}

/** A client that is refused may finish what it is sending, up to so many bytes. */
const MAX_DISCARDED = 16 * MAX_BODY_SIZE

/**
 * The whole body as text.
 *
 * One that is refused is not kept, but is read to its end, for a client that is still sending
 * would not see the answer; a client that never comes to an end is cut off.
 *
 * @param share - what the listener may hold of it
 * @throws Rejection RequestBodyTooLarge, ServerBusy when the listener holds too much already, or
 * InvalidInput when it is not UTF-8
 * @throws the stream's error when the client goes away
 */
export async function readBody(message: IncomingMessage, share: MemoryShare): Promise<string> {
  // Most requests have none, and the end of nothing need not be waited for.
  if (!hasBody(message)) return ''
  const body = new ArrivingBody(share)
  // Events cost a fraction of what an iterator does.
  await new Promise<void>((resolve, reject) => {
    message.on('data', (chunk: Buffer) => {
      body.add(chunk)
      if (body.size <= MAX_DISCARDED) return
      resolve()
      message.destroy()
    })
    message.once('end', resolve)
    message.once('error', reject)
    message.once('close', () => reject(message.errored))
  })
  return body.text()
}

/** A body as far as it has come. */
class ArrivingBody {
  readonly #share: MemoryShare
  #chunks: Buffer[] = []
  #size = 0
  #refusal: RejectionCode | undefined

  constructor(share: MemoryShare) {
    this.#share = share
  }

  /** Its bytes so far, those that were not kept included. */
  get size(): number {
    return this.#size
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > MAX_BODY_SIZE) this.#refuse('RequestBodyTooLarge')
    else if (this.#refusal === undefined && !this.#share.take(chunk.length)) {
      this.#refuse('ServerBusy')
    }
    if (this.#refusal === undefined) this.#chunks.push(chunk)
  }

  /** The text of all that has come; throws when it was refused or is none. */
  text(): string {
    if (this.#refusal !== undefined) throw new Rejection(this.#refusal)
    const [first, ...more] = this.#chunks
    const bytes = first === undefined || more.length > 0 ? Buffer.concat(this.#chunks) : first
    if (isUtf8(bytes)) return bytes.toString('utf8')
    throw new Rejection('InvalidInput', { text: 'The request body is not UTF-8.' })
  }

  #refuse(code: RejectionCode): void {
    this.#refusal = code
    this.#chunks = []
    this.#share.release()
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** A client's IP address; an IPv4 one is written so also when it came to an IPv6 socket. */
export function clientAddress({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
  return remoteAddress === '::1' ? LOOPBACK : remoteAddress.replace(MAPPED, '$1')
}
