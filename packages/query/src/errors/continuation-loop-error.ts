import { RowkeyError } from '@rowkey/odata'

/** What a {@link ContinuationLoopError} is made from. */
export interface ContinuationLoopErrorOptions {
  /** What came back, and what it means. */
  readonly message: string
  /** The model that was queried. */
  readonly model: string
}

/**
 * Thrown when a page ends with the continuation token that it or an earlier one began with: asking
 * again would go round for ever. Earlier pages have been read, so this is no InputError.
 */
export class ContinuationLoopError extends RowkeyError {
  /** `ContinuationLoopError`. */
  override readonly name = 'ContinuationLoopError'
  /** `ContinuationLoop`. */
  override readonly code = 'ContinuationLoop'
  /** The name of the model that was queried. */
  readonly model: string

  constructor(options: ContinuationLoopErrorOptions) {
    super(options)
    this.model = options.model
  }
}
