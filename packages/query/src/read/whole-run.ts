import type { QueryOptions, QueryRun } from '../source/query-source.ts'
import type { LoadWays, WaysToRun } from './ways-to-run.ts'

/** A run that may have to load the code that runs it. */
export interface LoadedRun<Row, Options extends QueryOptions> extends QueryRun<Row, Options> {
  /** Returns the code, or loads it. */
  readonly ways: LoadWays<Options>
}

/**
 * Iterates over a run, and tells its source when it begins and ends: what holds for all of it together, such as a
 * deadline, begins before its first request, and before the code that runs queries is loaded.
 *
 * @param run - the query, its source, its options and its code
 * @param results - yields what the run gives
 */
export async function* wholeRun<Row, Options extends QueryOptions, Result>(
  run: LoadedRun<Row, Options>,
  results: (
    ways: WaysToRun,
    begun: QueryRun<Row, Options>,
  ) => AsyncGenerator<Result, void, undefined>,
): AsyncGenerator<Result, void, undefined> {
  const begun = beginRun(run)
  try {
    const ways = run.ways(begun.options)
    yield* results(ways instanceof Promise ? await ways : ways, begun)
  } finally {
    run.source.endRun?.(begun.options)
  }
}

/**
 * Works as {@link wholeRun} for a run with one result.
 *
 * @param run - the query, its source, its options and its code
 * @param result - resolves to what the run gives
 */
export async function wholeCall<Row, Options extends QueryOptions, Result>(
  run: LoadedRun<Row, Options>,
  result: (ways: WaysToRun, begun: QueryRun<Row, Options>) => Promise<Result>,
): Promise<Result> {
  const begun = beginRun(run)
  try {
    const ways = run.ways(begun.options)
    return await result(ways instanceof Promise ? await ways : ways, begun)
  } finally {
    run.source.endRun?.(begun.options)
  }
}

function beginRun<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
): QueryRun<Row, Options> {
  return { ...run, options: run.source.beginRun?.(run.options) ?? run.options }
}
