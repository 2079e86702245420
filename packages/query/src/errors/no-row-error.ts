import { RowkeyError } from '@rowkey/odata'

/** What a {@link NoRowError} is made from. */
export interface NoRowErrorOptions {
  /** What was asked for, and how to ask when nothing may come. */
  readonly message: string
  /** The model that was queried. */
  readonly model: string
  /** The `$filter` that was sent; `undefined` when there is no condition at all. */
  readonly filter: string | undefined
}

/**
 * Thrown when the first row of a query is asked for and there is none. `firstOrUndefined` gives
 * `undefined` instead.
 */
export class NoRowError extends RowkeyError {
  /** `NoRowError`. */
  override readonly name = 'NoRowError'
  /** `NoRow`. */
  override readonly code = 'NoRow'
  /** The name of the model that was queried. */
  readonly model: string
  /** The `$filter` that was sent; `undefined` when there is no condition at all. */
  readonly filter: string | undefined

  constructor(options: NoRowErrorOptions) {
    super(options)
    this.model = options.model
    this.filter = options.filter
  }
}
