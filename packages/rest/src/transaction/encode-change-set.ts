import type { Endpoint } from '../endpoint.ts'
import { BatchInputError } from '../errors/batch-input-error.ts'
import type { HttpRequest } from '../http/http-request.ts'
import type { Change } from './change.ts'
import { utf8Length } from './utf8-length.ts'

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

/**
 * The body of an entity group transaction: each change as the request it would be alone.
 *
 * @param changes - what is to be done, checked by {@link checkChangeSet}
 * @param endpoint - the account
 * @throws {@link BatchInputError} when the body is larger than the service takes, or a change's body
 * is not JSON
 * @throws whatever the operation of a change throws for its input
 */
export function encodeChangeSet(changes: readonly Change[], endpoint: Endpoint): string {
  let body = OPENING
  for (const [index, { operation, input }] of changes.entries()) {
    body += PART_OPENING + encodePart(operation.toRequest(input, endpoint), index)
  }
  body += CLOSING
  checkLength(body, endpoint)
  return body
}

function encodePart({ method, origin, path, headers, body }: HttpRequest, index: number): string {
  let text = `${method} ${origin}${path} HTTP/1.1\r\n`
  for (const [name, written] of PART_HEADERS) {
    const value = headers[name]
    if (value !== undefined) text += `${written}: ${value}\r\n`
  }
  if (body === undefined) return `${text}\r\n`
  if (body.includes('\n--')) {
    throw new BatchInputError({
      message: `The body of change ${index} of the entity group transaction has a line that starts with two dashes, so it is not JSON.`,
      index,
    })
  }
  return `${text}\r\n${body}\r\n`
}

function checkLength(body: string, endpoint: Endpoint): void {
  const most = endpoint.flavour === 'cosmos' ? COSMOS_BYTES : STORAGE_BYTES
  const length = utf8Length(body)
  if (length <= most) return
  throw new BatchInputError({
    message: `The entity group transaction is ${length} bytes as it would be sent, and may be ${most}. Send its changes in several; each is then atomic by itself.`,
  })
}
