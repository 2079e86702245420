import { isChecked } from '../endpoint/checks.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'

import { type HttpHeaders, type HttpRequest, isRead } from '../http/transport.ts'
import { READ_HEADERS } from '../request/headers.ts'

/**
 * What separates the parts. It need not be random: a separator counts only at the start of a line,
 * and no line of a request, of a header or of JSON starts with two dashes. What a caller gives as a
 * body is looked at all the same.
 */
const BATCH = 'batch_rowkey'
const CHANGE_SET = 'changeset_rowkey'

/** The Content-Type of a request whose body {@link encodeChangeSet} made. */
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

const STORAGE_BYTES = 4 * 1024 * 1024
const COSMOS_BYTES = 2 * 1024 * 1024
/** In UTF-8, for each UTF-16 unit. */
const MOST_BYTES_PER_UNIT = 3

/**
 * The body of an entity group transaction: each change as the request it would be alone. A read can
 * only be alone, and then there is no change set around it.
 *
 * @param requests - what is to be done
 * @param endpoint - the account
 * @throws {@link InputError} (`InvalidBatch`) when the body is larger than the service takes, a change's body is
 * not JSON, or a read is not alone
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
  throw restInputError({
    code: 'InvalidBatch',
    message: `Change ${index} of the entity group transaction reads, and ${requests.length} are in it. A read can be in a transaction only alone; send it by itself.`,
    details: { index },
  })
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
    throw restInputError({
      code: 'InvalidBatch',
      message: `The body of change ${index} of the entity group transaction has a line that starts with two dashes, so it is not JSON.`,
      details: { index },
    })
  }
  return `${head}${body}\r\n`
}

function checkLength(body: string, endpoint: Endpoint): void {
  const most = endpoint.flavour === 'cosmos' ? COSMOS_BYTES : STORAGE_BYTES
  if (body.length * MOST_BYTES_PER_UNIT <= most) return
  const length = utf8Length(body)
  if (length <= most) return
  throw restInputError({
    code: 'InvalidBatch',
    message: `The entity group transaction is ${length} bytes as it would be sent, and may be ${most}. Send its changes in several; each is then atomic by itself.`,
  })
}

/** Node's own count where there is one: it makes no copy. */
const nodeBuffer: typeof Buffer | undefined = globalThis.Buffer

/**
 * How many bytes a text has in UTF-8.
 *
 * @param text - any text
 */
export function utf8Length(text: string): number {
  return nodeBuffer === undefined
    ? new TextEncoder().encode(text).length
    : nodeBuffer.byteLength(text)
}

/** The request that holds others: the changes of a transaction, or one that stands alone. */
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
