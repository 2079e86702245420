import type { EntityKey } from '@rowkey/odata'
import type { QueryNode } from '../query-node.ts'
import type { QueryOptions } from '../query-source.ts'
import { type AnyQuerySource, isRawSource } from '../raw-query-source.ts'

/** One run of a query: what is asked, whom, and how. */
export interface QueryRun<Row, Options extends QueryOptions = QueryOptions> {
  /** What is asked. */
  readonly node: QueryNode
  /** Whom. What it fetches is its own affair, and becomes a row by {@link QueryRun.read}. */
  readonly source: AnyQuerySource<unknown, Options>
  /** What every request of the run gets. */
  readonly options: Options
  /** Whether the next page is fetched while the one before is consumed. */
  readonly prefetch: boolean
  /** Makes a row of what the source fetched. */
  readonly read: (raw: unknown) => Row
}

/** Begins a run: what holds for all of it together, such as a deadline, begins now. */
export function beginRun<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
): QueryRun<Row, Options> {
  const { source, options } = run
  return { ...run, options: source.beginRun?.(options) ?? options }
}

/** What makes the rows of a query of what its source fetches. */
export function rowReader<Row, Options extends QueryOptions>(
  node: QueryNode,
  source: AnyQuerySource<Row, Options>,
): (raw: unknown) => Row {
  // Any other source fetches rows as they are to be.
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
