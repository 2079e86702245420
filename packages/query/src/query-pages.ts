import { checkScan } from './check-scan.ts'
import { QueryError } from './errors/query-error.ts'
import type { QueryOptions, QueryPage } from './query-source.ts'
import { beginRun, type QueryRun } from './run/query-run.ts'
import { runPages } from './run/run-pages.ts'

/**
 * The pages of a query, each fetched when it is asked for, or while the one before is consumed.
 *
 * @param run - the query, and how it is to be run
 * @param start - the token to go on from; `undefined` begins at the start
 * @throws {@link TableScanError} before the first page, when the query would scan the table
 * @throws {@link QueryError} when the query stands for several
 * @throws {@link ContinuationLoopError} when a page ends where the run has been before
 */
export async function* queryPages<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  start?: string,
): AsyncGenerator<QueryPage<Row>, void, undefined> {
  const { parallel, model } = run.node
  if (parallel !== undefined) throw unpaged(model.name)
  checkScan(run.node)
  yield* runPages(beginRun(run), start)
}

function unpaged(model: string): QueryError {
  return new QueryError({
    model,
    message: `.byPage() on ${model} cannot go with .inPartitions() or .parallel(): one continuation token says where one query goes on, and not where several do. Iterate over the rows, or run each query by its own pages.`,
  })
}
