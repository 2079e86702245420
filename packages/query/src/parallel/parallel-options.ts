import type { WhereCondition } from '../condition/where-condition.ts'
import type { RowOrder } from '../query-node.ts'

/** How several queries are run at once. */
export interface ParallelOptions {
  /**
   * How many queries at most are under way at once.
   *
   * @defaultValue 8
   */
  readonly concurrency?: number | undefined
  /**
   * `'keys'` gives rows in the order of PartitionKey and RowKey, as one query would; `'arrival'` gives
   * them as they come, so that no slow partition holds up the others.
   *
   * @defaultValue `'keys'`
   */
  readonly order?: RowOrder | undefined
}

/** What is asked in several queries at once. */
export interface ParallelRanges<Shape> extends ParallelOptions {
  /** The condition of each query, beside what `.where` says of all. */
  readonly ranges: readonly WhereCondition<Shape>[]
}
