import { checkScan } from '../compile/check-scan.ts'
import { invalidQuery } from '../errors/invalid-query.ts'
import { type QueryNode, withChange } from '../node/query-node.ts'
import { beginRun, type QueryRun } from '../run/query-run.ts'
import { runPages } from '../run/run-pages.ts'
import type { FullPage, PageOptions, QueryOptions, QueryPage } from '../source/query-source.ts'
import { openToken, sealToken } from './sealed-token.ts'

/**
 * Runs a query page by page, for a caller who keeps tokens: they are sealed where the source has a seal.
 * A page is fetched when the caller comes to it, or while the one before is consumed.
 *
 * @param run - the query, its source and its options
 * @param start - the token to continue from; `undefined` begins at the start
 * @throws InputError with the code `TableScan` before the first page, when the query would scan the table;
 * `InvalidQuery` when the query stands for several; `InvalidContinuationToken` for a text that is not a
 * token of the query
 * @throws DecodeError with the code `ContinuationLoop` when a page ends where the run has been before
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
 * @throws as {@link queryPages}, and InputError with the code `InvalidQuery` for a query with a limit
 */
export async function fullPage<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  { size, token }: PageOptions,
): Promise<FullPage<Row>> {
  const { node } = run
  checkPaged(node, '.page()')
  if (node.take !== undefined) {
    const { name: model } = node.model
    throw invalidQuery(
      `.page() on ${model} does not support .take(${node.take}): the size of the page limits its rows, and a token does not know how many rows earlier pages had. Remove .take.`,
      { model },
    )
  }
  const items: Row[] = []
  let next: string | undefined
  const pages = queryPages({ ...run, node: withChange(node, { take: size }) }, token)
  for await (const page of pages) {
    for (const row of page.items) items.push(row)
    next = page.continuationToken
  }
  return next === undefined ? { items } : { items, next }
}

function checkPaged({ parallel, model: { name: model } }: QueryNode, method: string): void {
  if (parallel === undefined) return
  throw invalidQuery(
    `${method} on ${model} does not support .inPartitions() and .parallel(): a continuation token tells where one query continues, and these are several. Iterate over the rows, or page through each query by itself.`,
    { model },
  )
}
