import { brand, RowkeyError } from '@rowkey/odata'

/** The options of a {@link NoRowError}. */
export interface NoRowErrorOptions {
  /** The message: the query, and which method allows a missing row. */
  readonly message: string
  /** The model that was queried. */
  readonly model: string
  /** The `$filter` that was sent; `undefined` when the query has no condition. */
  readonly filter: string | undefined
}

/**
 * Thrown by `.first()` when a query has no row. `.firstOrUndefined()` returns `undefined` instead.
 */
export class NoRowError extends RowkeyError {
  static {
    brand(NoRowError, 'rowkey.noRowError')
  }

  /** `NoRowError`. */
  override readonly name = 'NoRowError'
  /** `NoRow`. */
  override readonly code = 'NoRow'
  /** The name of the model that was queried. */
  readonly model: string
  /** The `$filter` that was sent; `undefined` when the query has no condition. */
  readonly filter: string | undefined

  constructor(options: NoRowErrorOptions) {
    super(options)
    this.model = options.model
    this.filter = options.filter
  }
}
