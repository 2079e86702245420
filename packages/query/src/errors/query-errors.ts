import { type InputError, type InputErrorDetails, RowkeyError } from '@rowkey/odata'
import { queryInputError } from './codes.ts'

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

/**
 * Makes the error of a query that can never be right.
 *
 * @param message - what is wrong, the rule, and the fix
 * @param details - the model and the property
 */
export function invalidQuery(message: string, details: InputErrorDetails = {}): InputError {
  return queryInputError({ code: 'InvalidQuery', message, details })
}
