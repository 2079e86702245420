import { restInputError } from '../errors/codes.ts'
import type { HttpHeaders, HttpRequest } from '../http/transport.ts'

/**
 * The separators of the parts. They need not be random. A separator counts only at the start of a line, and
 * no line of a request, a header or JSON starts with two dashes. A caller's body is checked for it.
 */
export const BATCH = 'batch_rowkey'
const CHANGE_SET = 'changeset_rowkey'

/** Begins the body of a transaction. */
export const OPENING: string = `--${BATCH}\r\nContent-Type: multipart/mixed; boundary=${CHANGE_SET}\r\n\r\n`

/** Begins each change. */
export const PART_OPENING: string = `--${CHANGE_SET}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n`

/** Ends the body. */
export const CLOSING: string = `--${CHANGE_SET}--\r\n--${BATCH}--\r\n`
/** The headers of a part, as the service's own clients spell them. */
const PART_HEADERS = [
  ['content-type', 'Content-Type'],
  ['accept', 'Accept'],
  ['prefer', 'Prefer'],
  ['dataserviceversion', 'DataServiceVersion'],
  ['x-http-method', 'X-HTTP-Method'],
  ['if-match', 'If-Match'],
] as const

/**
 * Prints the head of a part after its URL.
 *
 * @param headers - of the request that the change would be alone
 */
export function headAfterUrl(headers: HttpHeaders): string {
  let head = ' HTTP/1.1\r\n'
  for (const [name, written] of PART_HEADERS) {
    const value = headers[name]
    if (value !== undefined) head += `${written}: ${value}\r\n`
  }
  return `${head}\r\n`
}

/**
 * Encodes one request of an entity group transaction.
 *
 * @param request - the request that the change would be alone
 * @param index - the change, counted from 0, for the message
 * @param afterUrl - its head after the URL
 * @throws `InputError` (`InvalidBatch`) when its body is not JSON
 */
export function encodePart(
  request: HttpRequest,
  index: number,
  afterUrl: string = headAfterUrl(request.headers),
): string {
  const { method, origin, path, query, body } = request
  const head = `${method} ${origin}${path}${query === '' ? '' : `?${query}`}${afterUrl}`
  if (body === undefined) return head
  if (body.includes('\n--')) {
    throw invalidBatch(
      `Change ${index} of the entity group transaction has a line that starts with two dashes, so it is not JSON.`,
      index,
    )
  }
  return `${head}${body}\r\n`
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
