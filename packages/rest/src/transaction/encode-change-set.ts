import { isChecked } from '../endpoint/checks.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'

import { type HttpHeaders, type HttpRequest, isRead } from '../http/transport.ts'
import { READ_HEADERS } from '../request/headers.ts'

/**
 * The separators of the parts. They need not be random: a separator counts only at the start of a line,
 * and no line of a request, a header or JSON starts with two dashes. A caller's body is checked for it.
 */
const BATCH = 'batch_rowkey'
const CHANGE_SET = 'changeset_rowkey'

/** The Content-Type of a body from {@link encodeChangeSet}. */
export const CHANGE_SET_TYPE: string = `multipart/mixed; boundary=${BATCH}`

const OPENING = `--${BATCH}\r\nContent-Type: multipart/mixed; boundary=${CHANGE_SET}\r\n\r\n`
const PART_OPENING = `--${CHANGE_SET}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n`
const CLOSING = `--${CHANGE_SET}--\r\n--${BATCH}--\r\n`
const LONE_OPENING = `--${BATCH}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n`
const LONE_CLOSING = `\r\n--${BATCH}--\r\n`

/** The headers of a part, as the service's own clients spell them. */
const PART_HEADERS = [
  ['content-type', 'Content-Type'],
  ['accept', 'Accept'],
  ['prefer', 'Prefer'],
  ['dataserviceversion', 'DataServiceVersion'],
  ['x-http-method', 'X-HTTP-Method'],
  ['if-match', 'If-Match'],
] as const

/** The most changes in one entity group transaction. */
export const MOST_CHANGES = 100

const STORAGE_BYTES = 4 * 1024 * 1024
const COSMOS_BYTES = 2 * 1024 * 1024
/** The most bytes in UTF-8 for one UTF-16 unit. */
const MOST_BYTES_PER_UNIT = 3

/**
 * Encodes the body of an entity group transaction: each change as the request that it would be alone.
 * A read must be alone, and has no change set around it.
 *
 * @param requests - the requests of the changes
 * @param endpoint - the account
 * @throws `InputError` (`InvalidBatch`) when the body is too large for the service, the body of a
 * change is not JSON, or a read is not alone
 */
export function encodeChangeSet(requests: readonly HttpRequest[], endpoint: Endpoint): string {
  const [first] = requests
  if (first !== undefined && requests.length === 1 && isRead(first)) {
    return LONE_OPENING + encodePart(first, headerLines(first.headers), 0) + LONE_CLOSING
  }
  if (isChecked(endpoint, 'changeSets')) checkWrites(requests)
  let body = OPENING
  // Writes without a condition share their headers.
  const linesOf = new Map<HttpHeaders, string>()
  for (const [index, request] of requests.entries()) {
    const lines = linesOf.get(request.headers) ?? headerLines(request.headers)
    linesOf.set(request.headers, lines)
    body += PART_OPENING + encodePart(request, lines, index)
  }
  body += CLOSING
  if (isChecked(endpoint, 'changeSetSize')) checkLength(body, endpoint)
  return body
}

function checkWrites(requests: readonly HttpRequest[]): void {
  const index = requests.findIndex(isRead)
  if (index < 0) return
  throw invalidBatch(
    `Change ${index} of the entity group transaction is a read, and there are ${requests.length} changes. A read must be alone in its transaction; send it by itself.`,
    index,
  )
}

function headerLines(headers: HttpHeaders): string {
  let lines = ''
  for (const [name, written] of PART_HEADERS) {
    const value = headers[name]
    if (value !== undefined) lines += `${written}: ${value}\r\n`
  }
  return lines
}

function encodePart(request: HttpRequest, headers: string, index: number): string {
  const { method, origin, path, query, body } = request
  const head = `${method} ${origin}${path}${query === '' ? '' : `?${query}`} HTTP/1.1\r\n${headers}\r\n`
  if (body === undefined) return head
  if (body.includes('\n--')) {
    throw invalidBatch(
      `The body of change ${index} of the entity group transaction has a line that starts with two dashes, so it is not JSON.`,
      index,
    )
  }
  return `${head}${body}\r\n`
}

/**
 * Counts the bytes that a change takes in the body of an entity group transaction: its headers, its entity
 * and the separator before it.
 *
 * @param request - the request that the change would be alone
 */
export function partLength(request: HttpRequest): number {
  return utf8Length(PART_OPENING + encodePart(request, headerLines(request.headers), 0))
}

/** The bytes of the body of an entity group transaction without its changes. */
export const ENVELOPE_BYTES: number = OPENING.length + CLOSING.length

/**
 * Returns how many bytes the body of an entity group transaction may have.
 *
 * @param endpoint - the account
 */
export function mostBytes(endpoint: Endpoint): number {
  return endpoint.flavour === 'cosmos' ? COSMOS_BYTES : STORAGE_BYTES
}

/**
 * Makes the error of a transaction that breaks a rule.
 *
 * @param message - the change, the rule and the fix
 * @param index - the change, counted from 0; absent for the whole transaction
 */
export function invalidBatch(message: string, index?: number): Error {
  const details = index === undefined ? {} : { index }
  return restInputError({ code: 'InvalidBatch', message, details })
}

function checkLength(body: string, endpoint: Endpoint): void {
  const most = mostBytes(endpoint)
  if (body.length * MOST_BYTES_PER_UNIT <= most) return
  const length = utf8Length(body)
  if (length <= most) return
  throw invalidBatch(
    `The entity group transaction has ${length} bytes as sent, but at most ${most} are allowed. Split it into several; each is atomic by itself.`,
  )
}

/** Node can count without a copy. */
const nodeBuffer: typeof Buffer | undefined = globalThis.Buffer

/**
 * Counts the bytes of a text in UTF-8.
 *
 * @param text - any text
 */
export function utf8Length(text: string): number {
  return nodeBuffer === undefined
    ? new TextEncoder().encode(text).length
    : nodeBuffer.byteLength(text)
}

/** Makes the request that contains others: the changes of a transaction, or a single request. */
export function batchRequest(requests: readonly HttpRequest[], endpoint: Endpoint): HttpRequest {
  return {
    method: 'POST',
    origin: endpoint.origin,
    path: `${endpoint.basePath}/$batch`,
    query: '',
    headers: { ...READ_HEADERS, 'content-type': CHANGE_SET_TYPE },
    body: encodeChangeSet(requests, endpoint),
    ...(requests.every(isRead) && { readsOnly: true }),
  }
}
