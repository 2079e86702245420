import { checkScan } from './check-scan.ts'
import { compileQuery } from './compile-query.ts'
import type { QueryNode } from './query-node.ts'
import type { QueryOptions, QueryPage, QuerySource } from './query-source.ts'
import { TokenTrail } from './token-trail.ts'

/**
 * The pages of a query, each fetched when it is asked for, empty ones included.
 *
 * @param start - the token to go on from; `undefined` begins at the start
 * @throws {@link TableScanError} before the first page, when the query would scan the table
 * @throws {@link ContinuationLoopError} when a page ends where the run has been before
 */
export async function* queryPages<Row, Options extends QueryOptions>(
  node: QueryNode,
  source: QuerySource<Row, Options>,
  start: string | undefined,
  options: Options,
): AsyncGenerator<QueryPage<Row>, void, undefined> {
  const query = compileQuery(node)
  checkScan(node)
  const projected = node.select !== undefined
  const shared = source.beginRun?.(options) ?? options
  let remaining = node.take ?? Number.POSITIVE_INFINITY
  let token = start
  const trail = new TokenTrail(node.model.name, start)
  do {
    const at = token === undefined ? { projected } : { projected, continuationToken: token }
    const page = limitPage(await source.fetchPage(query, at, shared), remaining)
    trail.step(page.continuationToken)
    remaining -= page.items.length
    token = page.continuationToken
    yield page
  } while (token !== undefined && remaining > 0)
}

/** The page without what goes past the limit; then its token would skip rows, so it goes too. */
function limitPage<Row>(page: QueryPage<Row>, limit: number): QueryPage<Row> {
  return page.items.length > limit ? { items: page.items.slice(0, limit) } : page
}
