import type { QueryOptions } from '../source/query-source.ts'
import { forEachRow } from './for-each-row.ts'
import { fullPage, queryPages } from './query-pages.ts'
import { allRows, countRows, fetchedRows, firstRow, firstRows, queryRows } from './query-rows.ts'

/** The ways to run a query; each takes a run that has begun. */
export interface WaysToRun {
  /** Yields the rows, as many at a time as came together. */
  readonly rows: typeof queryRows
  /** Collects the rows. */
  readonly all: typeof allRows
  /** Reads the first row. */
  readonly first: typeof firstRow
  /** Reads the first row; the result is empty without a match. */
  readonly upToOne: typeof firstRows
  /** Counts the rows. */
  readonly count: typeof countRows
  /** Calls a handler with each row. */
  readonly forEach: typeof forEachRow
  /** Yields the rows as the source fetched them. */
  readonly fetched: typeof fetchedRows
  /** Yields the pages. */
  readonly pages: typeof queryPages
  /** Reads one page of a size. */
  readonly page: typeof fullPage
}

/**
 * Returns the ways to run a query, or loads them. Each run calls it after it has begun at its source.
 *
 * @param options - the options of the run; when their signal aborts, a load may reject
 */
export type LoadWays<Options extends QueryOptions = QueryOptions> = (
  options: Options,
) => WaysToRun | Promise<WaysToRun>

/** The ways to run a query, for a {@link LoadWays}. A query that only compiles does not need them. */
export const waysToRun: WaysToRun = {
  rows: queryRows,
  all: allRows,
  first: firstRow,
  upToOne: firstRows,
  count: countRows,
  forEach: forEachRow,
  fetched: fetchedRows,
  pages: queryPages,
  page: fullPage,
}
