import { compileQuery } from '../node/query-node.ts'
import type { QueryOptions, QueryRun } from '../source/query-source.ts'

type WaysToRun = typeof import('./ways-to-run.ts').waysToRun

/**
 * Iterates over a run, and tells its source when it begins and ends: what holds for all of it together, such as a
 * deadline, begins before its first request, and before the code that runs queries is loaded.
 *
 * @param run - the query, its source and its options
 * @param results - yields what the run gives
 */
export async function* wholeRun<Row, Options extends QueryOptions, Result>(
  run: QueryRun<Row, Options>,
  results: (
    ways: WaysToRun,
    begun: QueryRun<Row, Options>,
  ) => AsyncGenerator<Result, void, undefined>,
): AsyncGenerator<Result, void, undefined> {
  const begun = beginRun(run)
  try {
    yield* results(loaded ?? (await loadWays(begun)), begun)
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
  result: (ways: WaysToRun, begun: QueryRun<Row, Options>) => Promise<Result>,
): Promise<Result> {
  const begun = beginRun(run)
  try {
    return await result(loaded ?? (await loadWays(begun)), begun)
  } finally {
    run.source.endRun?.(begun.options)
  }
}

function beginRun<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
): QueryRun<Row, Options> {
  return { ...run, options: run.source.beginRun?.(run.options) ?? keptOptions(run.options) }
}

/** The caller may change its options while the code is loaded. */
function keptOptions<Options>(options: Options): Options {
  return loaded === undefined ? { ...options } : options
}

/** Loaded with the first run, and not awaited again. */
let loaded: WaysToRun | undefined

async function loadWays<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
): Promise<WaysToRun> {
  const { source, options } = run
  const loading = import('./ways-to-run.ts')
  if (await abortsBefore(loading, options.signal)) {
    // It throws the source's own error. A source that ignores signals runs the query.
    await source.fetchPage(compileQuery(run.node), { projected: false }, options)
  }
  loaded = (await loading).waysToRun
  return loaded
}

/** Tells whether a signal aborts before the work is done. One that has aborted already makes the run itself fail. */
async function abortsBefore(
  work: Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const done = work.then(() => false)
  if (signal === undefined || signal.aborted) return done
  // Node warns of many listeners of one signal, so each run has a signal of its own.
  const own = AbortSignal.any([signal])
  const aborted = new Promise<boolean>((resolve) => {
    own.onabort = () => resolve(true)
  })
  return Promise.race([done, aborted])
}
