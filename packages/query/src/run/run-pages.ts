import type { QueryOptions, QueryPage } from '../query-source.ts'
import { TokenTrail } from '../token-trail.ts'
import { PageFetcher } from './page-fetcher.ts'
import type { QueryRun } from './query-run.ts'

/**
 * The pages of a run, empty ones included. Once the loop over them is left, a page that was fetched
 * ahead is given up.
 *
 * @param run - what is asked, whom and how
 * @param start - the token to go on from; `undefined` begins at the start
 * @throws {@link ContinuationLoopError} when a page ends where the run has been before
 */
export async function* runPages<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  start?: string,
): AsyncGenerator<QueryPage<Row>, void, undefined> {
  const fetcher = new PageFetcher(run)
  const trail = new TokenTrail(run.node.model.name, start)
  let remaining = run.node.take ?? Number.POSITIVE_INFINITY
  let token = start
  let more: boolean
  try {
    do {
      const page = readPage(run, await fetcher.fetch(token), remaining)
      trail.step(page.continuationToken)
      remaining -= page.items.length
      token = page.continuationToken
      more = token !== undefined && remaining > 0
      if (token !== undefined && more && run.prefetch) fetcher.fetchAhead(token)
      yield page
    } while (more)
  } finally {
    fetcher.stop()
  }
}

/** The wanted rows of a page, up to the limit. Past it, the token would skip rows, so it goes too. */
function readPage<Row, Options extends QueryOptions>(
  { node, read }: QueryRun<Row, Options>,
  { items: raws, continuationToken }: QueryPage<unknown>,
  limit: number,
): QueryPage<Row> {
  const { localFilter } = node
  // Without a filter on this side, what is past the limit need not be read.
  const rows = (localFilter ? raws : raws.slice(0, limit)).map(read)
  const wanted = localFilter ? rows.filter((row) => localFilter(row)) : rows
  const isCut = wanted.length > limit || rows.length < raws.length
  if (isCut) return { items: wanted.slice(0, limit) }
  return continuationToken === undefined ? { items: wanted } : { items: wanted, continuationToken }
}
