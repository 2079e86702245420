import { checkScan } from './check-scan.ts'
import { parallelRows } from './parallel/parallel-rows.ts'
import type { QueryOptions } from './query-source.ts'
import { pointReadsIn, pointRows } from './run/point-rows.ts'
import { beginRun, type QueryRun } from './run/query-run.ts'
import { runPages } from './run/run-pages.ts'

/**
 * The rows of a query, as many at a time as came together: in one query, in several at once, or entity
 * by entity when it names them by their whole keys.
 *
 * @param run - the query, and how it is to be run
 * @throws {@link TableScanError} before anything is sent, when the query would scan the table
 */
export async function* queryRows<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
): AsyncGenerator<readonly Row[], void, undefined> {
  const { parallel } = run.node
  if (parallel !== undefined) {
    yield* parallelRows(run, parallel)
    return
  }
  const reads = pointReadsIn(run.node, run.source)
  if (reads !== undefined) {
    yield* pointRows(beginRun(run), reads)
    return
  }
  checkScan(run.node)
  for await (const { items } of runPages(beginRun(run))) yield items
}
