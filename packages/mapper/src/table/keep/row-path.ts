import type { FilterNode, RawEntity } from '@rowkey/odata'
import type { CallOptions, TableService } from '@rowkey/rest'

/** The table that keepers keep in step. */
export interface KeptTable {
  /** Sends requests, and has the clock. */
  readonly service: TableService
  /** The name of the table. */
  readonly name: string
}

/** The rows that a query of a model's table wants. */
export interface PathQuery {
  /** The condition that the rows meet, by stored names. */
  readonly filter: FilterNode
  /** The stored names to read; all when absent. */
  readonly select?: readonly string[] | undefined
  /** The most rows in one page; the path decides when absent. */
  readonly top?: number | undefined
  /** The RowKey of the last row that was looked at; absent for the first page. */
  readonly after?: string | undefined
}

/** One page of rows that a {@link RowPath} fetched. */
export interface PathPage {
  /** The rows as the service sends them, each with its ETag, in the order of RowKey. */
  readonly items: readonly RawEntity[]
  /** The RowKey after which the next page begins; absent at the end. */
  readonly after?: string | undefined
}

/** How the rows of a query would be found. */
export interface PathPlan {
  /** The name of the index that is used; absent when the query is sent as it is. */
  readonly index?: string | undefined
  /** Why, in sentences. */
  readonly reasons: readonly string[]
}

/**
 * Finds the rows of some queries at a lower cost than the filter, such as by an index. All pages of a path
 * are in one partition and in the order of RowKey, so a query gets the same rows in the same order.
 */
export interface RowPath {
  /**
   * Explains how the rows of a query would be found. It sends nothing.
   *
   * @param query - the query
   * @param table - the table
   */
  explain(query: PathQuery, table: KeptTable): PathPlan
  /**
   * Fetches one page of rows that meet the condition.
   *
   * @param query - the query, and where the page begins
   * @param table - the table
   * @param options - the options of the run
   * @returns `undefined` when the path does not fit the query; then the filter is sent
   */
  fetchPage(query: PathQuery, table: KeptTable, options: CallOptions): Promise<PathPage | undefined>
}
