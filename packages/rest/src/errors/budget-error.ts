import { brand, RowkeyError } from '@rowkey/odata'

/** The options of a {@link BudgetError}. */
export type BudgetErrorOptions = Pick<
  BudgetError,
  'message' | 'mayHaveApplied' | 'attempts' | 'requests'
> & {
  /** The error of the last attempt, when there was one. */
  readonly cause?: unknown
}

/**
 * Thrown when a call has made as many requests as its `budget` allows, and needs another one. That one is not sent.
 *
 * @example
 * ```ts
 * try {
 *   for await (const row of query.rows({ budget: { requests: 20 } })) show(row)
 * } catch (error) {
 *   if (!(error instanceof BudgetError)) throw error
 *   await later(error.continuationToken) // query.byPage({ continuationToken }) goes on after the last row
 * }
 * ```
 */
export class BudgetError extends RowkeyError {
  static {
    brand(BudgetError, 'rowkey.budgetError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'BudgetError'
  /** The same for every budget. */
  override readonly code = 'BudgetSpent'
  /** How many requests were made: all that the budget allows. */
  declare readonly requests: number
  /** Whether the service may have applied the operation that needed another request. Always `false` for a read. */
  declare readonly mayHaveApplied: boolean
  /** How many attempts that operation made; 0 when the budget was spent before its first. */
  declare readonly attempts: number
  /**
   * Where a query goes on, after the last row that the caller received: a token for `byPage`. `undefined` when it goes on at its
   * start, for other calls, for several queries at once, and for calls that return all rows together.
   */
  continuationToken: string | undefined

  constructor({ message, cause, ...facts }: BudgetErrorOptions) {
    super({ message, cause })
    Object.assign(this, facts)
  }
}
