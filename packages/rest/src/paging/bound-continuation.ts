import { ContinuationTokenError } from '../errors/continuation-token-error.ts'
import type { HttpHeaders } from '../http/http-request.ts'
import type { LocationName } from '../location-name.ts'
import { type ContinuationToken, readContinuation } from './continuation-token.ts'
import { type DigestedQuery, queryDigest } from './query-digest.ts'

/** A query that may begin where another page ended. */
export interface ContinuedQuery extends DigestedQuery {
  readonly continuation?: ContinuationToken | undefined
}

/**
 * The continuation that an answer's headers hold, bound to the query that was answered.
 *
 * @param headers - the answer's headers
 * @param query - what was asked
 * @param location - which location answered
 * @returns `undefined` when this was the last page
 */
export function readBoundContinuation(
  headers: HttpHeaders,
  query: DigestedQuery,
  location: LocationName = 'primary',
): ContinuationToken | undefined {
  const token = readContinuation(headers)
  if (token === undefined) return undefined
  const bound = { ...token, query: queryDigest(query) }
  return location === 'secondary' ? { ...bound, location } : bound
}

/**
 * Refuses to go on with a query where another one ended: the service would skip rows in silence.
 *
 * A token that says nothing of its query, such as one put together by hand, is let through.
 *
 * @param query - what is to be asked
 * @throws {@link ContinuationTokenError} when the continuation came with another query
 */
export function checkBoundContinuation(query: ContinuedQuery): void {
  const bound = query.continuation?.query
  if (bound === undefined || bound === queryDigest(query)) return
  throw new ContinuationTokenError({
    message:
      'The continuation token came with another query: the table, the filter or the select is not the same. Send it with the query whose page gave it, or begin without one.',
  })
}
