import { compileQuery } from '../compile/compile-query.ts'
import { passOver } from '../node/bad-row-policy.ts'
import type { QueryOptions, QueryPage } from '../source/query-source.ts'
import { PageFetcher } from './page-fetcher.ts'
import { parsePosition, positionAfter, printPosition, rowsAfter } from './page-position.ts'
import { keyReader, type QueryRun } from './query-run.ts'
import { TokenTrail } from './token-trail.ts'

/**
 * Runs a query page by page, empty pages included. Every page but the last has a token with which a
 * later run continues right after its last row, also where a limit ends it within a page of the source.
 * A page that was fetched ahead is cancelled when the loop is left.
 *
 * @param run - the query, its source and its options
 * @param start - the token to continue from; `undefined` begins at the start
 * @throws InputError with the code `InvalidContinuationToken` for a text that is not a token
 * @throws DecodeError with the code `ContinuationLoop` when a page ends where the run has been before
 */
export async function* runPages<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  start?: string,
): AsyncGenerator<QueryPage<Row>, void, undefined> {
  const { node, source } = run
  const query = { ...compileQuery(node), table: source.table }
  const keyOf = keyReader(source)
  let position = parsePosition(start, query)
  const fetcher = new PageFetcher(run)
  const trail = new TokenTrail(node.model.name, position.token)
  let remaining = node.take ?? Number.POSITIVE_INFINITY
  let more: boolean
  try {
    do {
      const { items: raws, continuationToken } = await fetcher.fetch(position.token)
      trail.step(continuationToken, raws.length)
      const { first, past } = rowsAfter(position, raws, keyOf)
      const { items, end } = await readRows(run, raws, first, remaining)
      remaining -= items.length
      const isCut = end < raws.length
      position = isCut
        ? { token: position.token, past: positionAfter(raws, end, keyOf) }
        : { token: continuationToken, past }
      more = continuationToken !== undefined && !isCut && remaining > 0
      if (continuationToken !== undefined && more && run.prefetch)
        fetcher.fetchAhead(continuationToken)
      const isEnd = continuationToken === undefined && !isCut
      yield isEnd ? { items } : { items, continuationToken: printPosition(position, query) }
    } while (more)
  } finally {
    fetcher.stop()
  }
}

/**
 * Reads the wanted rows of a page, up to the limit. What is past the limit is not read.
 *
 * @returns the rows, and the index of the first raw row that was not looked at
 */
async function readRows<Row, Options extends QueryOptions>(
  { node, read }: QueryRun<Row, Options>,
  raws: readonly unknown[],
  first: number,
  limit: number,
): Promise<{ readonly items: Row[]; readonly end: number }> {
  const items: Row[] = []
  let end = first
  while (end < raws.length && items.length < limit) {
    let row: Row
    try {
      row = read(raws[end++])
    } catch (thrown) {
      await passOver(node.onBadRow, thrown)
      continue
    }
    if (node.localFilter?.(row) !== false) items.push(row)
  }
  return { items, end }
}
