import { isChecked } from '../endpoint/checks.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { type HttpHeaders, type HttpRequest, isRead } from '../http/transport.ts'
import { READ_HEADERS } from '../request/headers.ts'
import {
  BATCH,
  CLOSING,
  encodePart,
  headAfterUrl,
  invalidBatch,
  OPENING,
  PART_OPENING,
} from './change-set-part.ts'
import { mostBytes, utf8Length } from './change-set-size.ts'

/** The Content-Type of a body from {@link encodeChangeSet}. */
export const CHANGE_SET_TYPE: string = `multipart/mixed; boundary=${BATCH}`

const LONE_OPENING = `--${BATCH}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n`
const LONE_CLOSING = `\r\n--${BATCH}--\r\n`

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
    return LONE_OPENING + encodePart(first, 0) + LONE_CLOSING
  }
  if (isChecked(endpoint, 'changeSets')) checkWrites(requests)
  let body = OPENING
  // Writes without a condition share their headers.
  const heads = new Map<HttpHeaders, string>()
  for (const [index, request] of requests.entries()) {
    const afterUrl = heads.get(request.headers) ?? headAfterUrl(request.headers)
    heads.set(request.headers, afterUrl)
    body += PART_OPENING + encodePart(request, index, afterUrl)
  }
  body += CLOSING
  if (isChecked(endpoint, 'changeSetSize')) checkLength(body, endpoint)
  return body
}

function checkWrites(requests: readonly HttpRequest[]): void {
  const index = requests.findIndex(isRead)
  if (index < 0) return
  throw invalidBatch(
    `Change ${index} of the entity group transaction is a read, which must be alone in its transaction. Send it by itself.`,
    index,
  )
}

function checkLength(body: string, endpoint: Endpoint): void {
  const most = mostBytes(endpoint)
  if (body.length * MOST_BYTES_PER_UNIT <= most) return
  const length = utf8Length(body)
  if (length <= most) return
  throw invalidBatch(
    `The entity group transaction has ${length} bytes as sent, but at most ${most} are allowed. Split it into several.`,
  )
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
