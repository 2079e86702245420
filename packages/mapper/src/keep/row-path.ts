import type { EntityKey, FilterNode, RawEntity } from '@rowkey/odata'
import type { CallOptions, TableService } from '@rowkey/rest'

/** The table that keepers keep in step. */
export interface KeptTable {
  /** Sends requests, and has the clock. */
  readonly service: TableService
  /** The name of the table. */
  readonly name: string
}

/** An entry that leads to a row. */
export interface FoundEntry {
  /** The key of the entry. */
  readonly key: EntityKey
  /** The key of its row. */
  readonly row: EntityKey
  /**
   * Tells whether the entry is that of the row now. The row is read after the entry, and may have changed.
   *
   * @param raw - the row as it is stored
   */
  isOf(raw: RawEntity): boolean
}

/** The first entries of some that lead to the rows of a query. */
export interface FoundEntries {
  /** The entries, in order. */
  readonly entries: readonly FoundEntry[]
  /** Whether no further entry follows. */
  readonly isEnd: boolean
}

/** The rows that a query of a model's table wants. */
export interface PathQuery {
  /** The condition that the rows meet, by stored names. */
  readonly filter: FilterNode
  /** How many entries at most are found. */
  readonly top: number
  /** The RowKey of the last row that was looked at; absent for the first page. */
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
 * Finds the rows of some queries at a lower cost than the filter, such as by an index. All entries of a path
 * lead to rows of one partition, in the order of RowKey, so a query gets the same rows in the same order.
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
   * Finds entries that lead to all rows that meet the condition, and perhaps to others.
   *
   * @param query - the query, and where the page begins
   * @param table - the table
   * @param options - the options of the run
   * @returns `undefined` when the path does not fit the query; then the filter is sent
   */
  find(query: PathQuery, table: KeptTable, options: CallOptions): Promise<FoundEntries | undefined>
}
