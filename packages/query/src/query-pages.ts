import { checkScan } from './check-scan.ts'
import { QueryError } from './errors/query-error.ts'
import { type QueryNode, withChange } from './query-node.ts'
import type { FullPage, PageOptions, QueryOptions, QueryPage } from './query-source.ts'
import { beginRun, type QueryRun } from './run/query-run.ts'
import { runPages } from './run/run-pages.ts'
import { openToken, sealToken } from './run/sealed-token.ts'

/**
 * Runs a query page by page, for a caller who keeps tokens: they are sealed where the source says how.
 * A page is fetched when it is asked for, or while the one before is consumed.
 *
 * @param run - the query, its source and its options
 * @param start - the token to continue from; `undefined` begins at the start
 * @throws {@link TableScanError} before the first page, when the query would scan the table
 * @throws {@link QueryError} when the query stands for several
 * @throws InputError with the code `InvalidContinuationToken` for a text that is not a token of the query
 * @throws {@link ContinuationLoopError} when a page ends where the run has been before
 */
export async function* queryPages<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  start?: string,
): AsyncGenerator<QueryPage<Row>, void, undefined> {
  checkPaged(run.node, '.byPage()')
  checkScan(run.node)
  for await (const { items, continuationToken } of runPages(beginRun(run), openToken(run, start))) {
    yield continuationToken === undefined
      ? { items }
      : { items, continuationToken: sealToken(run, continuationToken) }
  }
}

/**
 * Reads one page of exactly so many rows, or what is left at the end, in as many requests as it takes.
 *
 * @param run - the query, its source and its options
 * @param page - how many rows, and where to continue
 * @throws as {@link queryPages}, and {@link QueryError} for a size that is not a whole number from 1 and
 * for a query with a limit
 */
export async function fullPage<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  { size, token }: PageOptions,
): Promise<FullPage<Row>> {
  const { node } = run
  checkPaged(node, '.page()')
  if (node.take !== undefined) throw limited(node.model.name, node.take)
  const items: Row[] = []
  let next: string | undefined
  const pages = queryPages({ ...run, node: withChange(node, { take: size }) }, token)
  for await (const page of pages) {
    for (const row of page.items) items.push(row)
    next = page.continuationToken
  }
  return next === undefined ? { items } : { items, next }
}

function checkPaged({ parallel, model }: QueryNode, method: string): void {
  if (parallel === undefined) return
  throw new QueryError({
    model: model.name,
    message: `${method} on ${model.name} does not support .inPartitions() and .parallel(): a continuation token tells where one query continues, and these are several. Iterate over the rows, or page through each query by itself.`,
  })
}

function limited(model: string, take: number): QueryError {
  return new QueryError({
    model,
    message: `.page() on ${model} does not support .take(${take}): the size of the page limits its rows, and a token does not know how many rows earlier pages had. Remove .take.`,
  })
}
