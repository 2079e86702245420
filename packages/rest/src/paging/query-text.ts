import {
  brokenRule,
  type DigestedQuery,
  decodeBase64UrlText,
  encodeBase64UrlText,
  queryDigest,
  wholeNumber,
} from '@rowkey/odata'
import type { Flavour, LocationName } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'
import type { HttpHeaders } from '../http/transport.ts'
import { escapeOption } from '../request/path.ts'
import { selectText } from '../request/select-text.ts'

/** The options of a query, as the service accepts them. */
interface QueryOptions {
  /** The `$filter`; everything matches when absent. */
  readonly filter?: string | undefined
  /** Stored names; all properties when absent. */
  readonly select?: readonly string[] | undefined
  /** The most entities in one page, up to 1,000. */
  readonly top?: number | undefined
  /** Where the page before ended; the start when absent. */
  readonly continuation?: ContinuationToken | undefined
}

const LARGEST_PAGE = 1000

/**
 * Builds the query of a request, each value percent-encoded; absent options are omitted.
 *
 * @param options - the options of the query
 * @param flavour - the kind of service; Cosmos DB accepts pages of more than 1,000
 * @throws `InputError` (`InvalidQueryOption`) for options that the service would reject
 */
export function queryText(options: QueryOptions, flavour: Flavour): string {
  const { filter, select, top, continuation } = options
  let text = ''
  if (filter !== undefined && filter !== '') text += `&$filter=${escapeOption('$filter', filter)}`
  const selected = selectText(select)
  if (selected !== '') text += `&${selected}`
  if (top !== undefined) text += `&$top=${checkTop(top, flavour)}`
  if (continuation !== undefined) text += continuationText(continuation)
  return text.slice(1)
}

function continuationText(token: ContinuationToken): string {
  const { nextPartitionKey, nextRowKey, nextTableName } = token
  let text = ''
  if (nextPartitionKey !== undefined)
    text += `&NextPartitionKey=${escapeOption('NextPartitionKey', nextPartitionKey)}`
  if (nextRowKey) text += `&NextRowKey=${escapeOption('NextRowKey', nextRowKey)}`
  if (nextTableName) text += `&NextTableName=${escapeOption('NextTableName', nextTableName)}`
  return text
}

function checkTop(top: unknown, flavour: Flavour): number {
  const size = wholeNumber(1, flavour === 'cosmos' ? Number.MAX_SAFE_INTEGER : LARGEST_PAGE)
  if (size.accepts(top)) return Number(top)
  throw restInputError({
    code: 'InvalidQueryOption',
    message: brokenRule(top, size, '$top, the page size,'),
  })
}

/**
 * The position where a query continues: the service sends it at the end of a page, and expects it
 * back with the same query. Its parts belong to the service and mean nothing to anyone else.
 */
export interface ContinuationToken {
  /** Where in the partitions; absent when tables are listed. May be empty, as PartitionKeys may. */
  readonly nextPartitionKey?: string | undefined
  /** Where in the partition; not every page has one. */
  readonly nextRowKey?: string | undefined
  /** Where in the list of tables. */
  readonly nextTableName?: string | undefined
  /**
   * A digest of the table, the filter and the select of the query that it came with; another query is
   * rejected. Absent when nothing is known of the query.
   */
  readonly query?: string | undefined
  /**
   * Which location the page came from; the next page comes from there, too.
   *
   * @defaultValue `'primary'`
   */
  readonly location?: LocationName | undefined
}

/** A query that may begin where another page ended. */
interface ContinuedQuery extends DigestedQuery {
  readonly continuation?: ContinuationToken | undefined
}

/**
 * Prints a continuation token as text that can stand in a URL, a file or a message, for
 * {@link parseContinuationToken}.
 *
 * @param token - where a query continues
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
  return encodeBase64UrlText(JSON.stringify(parts.map((part) => part ?? null)))
}

/**
 * Parses the text that {@link printContinuationToken} made of a continuation token.
 *
 * @param text - the text
 * @throws `InputError` (`InvalidContinuationToken`) for any other text, and for one that names no next key
 */
export function parseContinuationToken(text: string): ContinuationToken {
  const token = typeof text === 'string' ? tokenIn(text) : undefined
  // Printing it again finds what JSON forgives, such as blanks.
  if (token && leadsOn(token) && printContinuationToken(token) === text) return token
  throw restInputError({
    code: 'InvalidContinuationToken',
    message: 'The text is not a continuation token. Pass one as a page of the same query gave it.',
  })
}

/**
 * Reads the continuation from the headers of a response, and binds it to the query.
 *
 * A header with an empty value counts: an empty PartitionKey is a key, and a service that sends keys as
 * they are (Azurite) then sends an empty value. Without any of the headers, the query is at its end.
 *
 * @param headers - the response headers
 * @param query - the query that the service responded to
 * @param location - which location responded
 * @returns `undefined` at the end of the query
 */
export function readContinuation(
  headers: HttpHeaders,
  query: DigestedQuery,
  location: LocationName = 'primary',
): ContinuationToken | undefined {
  const nextPartitionKey = headers['x-ms-continuation-nextpartitionkey']
  const nextRowKey = headers['x-ms-continuation-nextrowkey']
  const nextTableName = headers['x-ms-continuation-nexttablename']
  if (nextPartitionKey === undefined && !nextRowKey && !nextTableName) return undefined
  // A RowKey without its partition is in the empty one; some proxies drop headers without a value.
  const partition = nextPartitionKey ?? (nextRowKey ? '' : undefined)
  const token = {
    ...toToken(partition, nextRowKey, nextTableName),
    query: queryDigest(query),
  }
  return location === 'secondary' ? { ...token, location } : token
}

/**
 * Rejects a continuation that came with another query: the service would skip rows without a word.
 *
 * A token that knows nothing of its query, such as one made by hand, passes.
 *
 * @param query - the query to send
 * @throws `InputError` (`InvalidContinuationToken`) when the continuation came with another query, or does not
 * say where to continue
 */
export function checkContinuation(query: ContinuedQuery): void {
  const bound = query.continuation?.query
  if (isOfKind(query) && (bound === undefined || bound === queryDigest(query))) return
  throw restInputError({
    code: 'InvalidContinuationToken',
    message:
      'The continuation token is incomplete, or came with another query: the table, the filter or the select differs. Send it with the query whose page gave it.',
  })
}

/**
 * Finds the only location where a query can continue: the pages of the account's copy may end
 * elsewhere.
 *
 * @param query - the query to send
 * @returns `undefined` when the query begins
 */
export function locationOf({ continuation }: ContinuedQuery): LocationName | undefined {
  return continuation && (continuation.location ?? 'primary')
}

/** A token of the wrong kind would begin the query again, or make an invalid request. */
function isOfKind({ table, continuation }: ContinuedQuery): boolean {
  if (continuation === undefined) return true
  const { nextPartitionKey, nextTableName }: ContinuationToken = Object(continuation)
  return table === undefined
    ? Boolean(nextTableName)
    : nextPartitionKey !== undefined && !nextTableName
}

/** Without a next key a query would begin again without a word. */
function leadsOn({ nextPartitionKey, nextTableName }: ContinuationToken): boolean {
  return nextPartitionKey !== undefined || nextTableName !== undefined
}

function tokenIn(text: string): ContinuationToken | undefined {
  let parts: unknown
  try {
    parts = JSON.parse(decodeBase64UrlText(text) ?? '')
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

/** An empty NextRowKey says nothing, and the service rejects it. */
function toToken(
  nextPartitionKey: string | null | undefined,
  nextRowKey: string | null | undefined,
  nextTableName: string | null | undefined,
): ContinuationToken {
  return {
    ...(typeof nextPartitionKey === 'string' && { nextPartitionKey }),
    ...(nextRowKey && { nextRowKey }),
    ...(nextTableName && { nextTableName }),
  }
}
