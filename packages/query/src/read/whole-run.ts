import type { QueryOptions, QueryRun } from '../source/query-source.ts'

/**
 * Iterates over a run, and tells its source when it begins and ends. A deadline for the whole run begins
 * before its first request.
 *
 * @param run - the query, its source and its options
 * @param results - yields what the run gives
 */
export async function* wholeRun<Row, Options extends QueryOptions, Result>(
  run: QueryRun<Row, Options>,
  results: (begun: QueryRun<Row, Options>) => AsyncGenerator<Result, void, undefined>,
): AsyncGenerator<Result, void, undefined> {
  const begun = beginRun(run)
  try {
    yield* results(begun)
  } finally {
    run.source.endRun?.(begun.options)
  }
}

/**
 * Works as {@link wholeRun} for a run with one result.
 *
 * @param run - the query, its source and its options
 * @param result - resolves to what the run gives
 */
export async function wholeCall<Row, Options extends QueryOptions, Result>(
  run: QueryRun<Row, Options>,
  result: (begun: QueryRun<Row, Options>) => Promise<Result>,
): Promise<Result> {
  const begun = beginRun(run)
  try {
    return await result(begun)
  } finally {
    run.source.endRun?.(begun.options)
  }
}

function beginRun<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
): QueryRun<Row, Options> {
  return { ...run, options: run.source.beginRun?.(run.options) ?? run.options }
}
