import { ContinuationTokenError } from '../errors/continuation-token-error.ts'
import type { HttpHeaders } from '../http/http-request.ts'
import type { LocationName } from '../location-name.ts'
import { decodeBase64Url, encodeBase64Url } from './base64-url.ts'

/**
 * Where a query goes on: what the service said at the end of a page, to be sent with the same query
 * again. Its parts are the service's own and mean nothing to anyone else.
 */
export interface ContinuationToken {
  /** Where in the partitions; absent when tables are listed. */
  readonly nextPartitionKey?: string | undefined
  /** Where in the partition; not every page has one. */
  readonly nextRowKey?: string | undefined
  /** Where in the list of tables. */
  readonly nextTableName?: string | undefined
  /**
   * A digest of the table, the filter and the select of the query that it came with, by which another
   * query is refused; absent when nothing is known of it.
   */
  readonly query?: string | undefined
  /**
   * Which location the page came from; the next one comes from there, too.
   *
   * @defaultValue `'primary'`
   */
  readonly location?: LocationName | undefined
}

/**
 * A continuation token as text that can stand in a URL, a file or a message, for
 * {@link parseContinuationToken}.
 *
 * @param token - where a query goes on
 *
 * @example
 * ```ts
 * const text = printContinuationToken(page.continuation!)
 * // later, perhaps elsewhere
 * const next = await perform(service, queryEntities, {
 *   table: 'people',
 *   continuation: parseContinuationToken(text),
 * })
 * ```
 */
export function printContinuationToken(token: ContinuationToken): string {
  const parts = [token.nextPartitionKey, token.nextRowKey, token.nextTableName, token.query]
  if (token.location === 'secondary') parts.push(token.location)
  return encodeBase64Url(JSON.stringify(parts.map((part) => part ?? null)))
}

/**
 * The continuation token that a text was made from by {@link printContinuationToken}.
 *
 * @param text - the text
 * @throws {@link ContinuationTokenError} when it is not such a text, or one that names no next key
 */
export function parseContinuationToken(text: string): ContinuationToken {
  const token = typeof text === 'string' ? tokenIn(text) : undefined
  // Printing it again finds what base64 forgives: blanks, padding, stray bits.
  if (token && goesOn(token) && printContinuationToken(token) === text) return token
  throw new ContinuationTokenError({
    message:
      'The text is not a continuation token. Pass one exactly as a page of the same query gave it.',
  })
}

/**
 * The continuation that an answer's headers hold.
 *
 * @param headers - the answer's headers
 * @returns `undefined` when this was the last page
 */
export function readContinuation(headers: HttpHeaders): ContinuationToken | undefined {
  const nextPartitionKey = headers['x-ms-continuation-nextpartitionkey']
  const nextRowKey = headers['x-ms-continuation-nextrowkey']
  const nextTableName = headers['x-ms-continuation-nexttablename']
  if (!nextPartitionKey && !nextRowKey && !nextTableName) return undefined
  return toToken(nextPartitionKey, nextRowKey, nextTableName)
}

/** Without a next key a query would begin again, in silence. */
function goesOn({ nextPartitionKey, nextTableName }: ContinuationToken): boolean {
  return nextPartitionKey !== undefined || nextTableName !== undefined
}

function tokenIn(text: string): ContinuationToken | undefined {
  let parts: unknown
  try {
    parts = JSON.parse(decodeBase64Url(text) ?? '')
  } catch {
    return undefined
  }
  if (!Array.isArray(parts) || parts.length > 5 || !parts.every(isPart)) return undefined
  const [nextPartitionKey, nextRowKey, nextTableName, query, location] = parts
  const token = { ...toToken(nextPartitionKey, nextRowKey, nextTableName), ...(query && { query }) }
  return location === 'secondary' ? { ...token, location } : token
}

function isPart(part: unknown): part is string | null {
  return part === null || typeof part === 'string'
}

/** A part that is not there is left out, since the service refuses an empty one. */
function toToken(
  nextPartitionKey: string | null | undefined,
  nextRowKey: string | null | undefined,
  nextTableName: string | null | undefined,
): ContinuationToken {
  return {
    ...(nextPartitionKey && { nextPartitionKey }),
    ...(nextRowKey && { nextRowKey }),
    ...(nextTableName && { nextTableName }),
  }
}
