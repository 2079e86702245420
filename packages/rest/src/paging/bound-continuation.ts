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
 * @throws {@link ContinuationTokenError} when the continuation came with another query, or does not
 * say where to go on
 */
export function checkBoundContinuation(query: ContinuedQuery): void {
  checkKind(query)
  const bound = query.continuation?.query
  if (bound === undefined || bound === queryDigest(query)) return
  throw new ContinuationTokenError({
    message:
      'The continuation token came with another query: the table, the filter or the select is not the same. Send it with the query whose page gave it, or begin without one.',
  })
}

/** A token of the other kind, or of none, would begin the query again or be no question at all. */
function checkKind({ table, continuation }: ContinuedQuery): void {
  if (continuation === undefined) return
  const { nextPartitionKey, nextTableName } = continuation
  const fits = table === undefined ? nextTableName : nextPartitionKey && !nextTableName
  if (fits) return
  const [kind, rule] =
    table === undefined
      ? ['list of tables', 'must have nextTableName']
      : ['query of entities', 'must have nextPartitionKey and no nextTableName']
  throw new ContinuationTokenError({
    message: `The continuation token is not of a ${kind}, for which it ${rule}: it came with another query, or is incomplete. Send one as a page of the same query gave it, or begin without one.`,
  })
}
