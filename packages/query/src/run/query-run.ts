import type { EntityKey } from '@rowkey/odata'
import type { QueryNode } from '../node/query-node.ts'
import { type AnyQuerySource, isRawSource, type QueryOptions } from '../source/query-source.ts'

/** One run of a query. */
export interface QueryRun<Row, Options extends QueryOptions = QueryOptions> {
  /** The query. */
  readonly node: QueryNode
  /** Where the rows come from; {@link QueryRun.read} makes rows of what it fetches. */
  readonly source: AnyQuerySource<unknown, Options>
  /** The options of every request of the run. */
  readonly options: Options
  /** Whether the next page is fetched while the one before is consumed. */
  readonly prefetch: boolean
  /** Reads a row from what the source fetched. */
  readonly read: (raw: unknown) => Row
}

/** Begins a run: what holds for all of it together, such as a deadline, begins now. */
export function beginRun<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
): QueryRun<Row, Options> {
  const { source, options } = run
  return { ...run, options: source.beginRun?.(options) ?? options }
}

/** Returns what reads the rows of a query from what its source fetches. */
export function rowReader<Row, Options extends QueryOptions>(
  node: QueryNode,
  source: AnyQuerySource<Row, Options>,
): (raw: unknown) => Row {
  // Any other source fetches rows that need no reading.
  if (!isRawSource(source)) return (row) => row as Row
  const request = Object.freeze({ projected: node.select !== undefined })
  return (raw) => source.readRow(raw, request)
}

/** Returns what reads the key of a fetched row; `undefined` where the source does not know keys. */
export function keyReader<Options extends QueryOptions>(
  source: AnyQuerySource<unknown, Options>,
): ((raw: unknown) => EntityKey) | undefined {
  return isRawSource(source) ? (raw) => source.keyOf(raw) : undefined
}
