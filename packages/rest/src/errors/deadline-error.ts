import { brand, RowkeyError } from '@rowkey/odata'

/** The options of a {@link DeadlineError}. */
export type DeadlineErrorOptions = Pick<
  DeadlineError,
  'message' | 'mayHaveApplied' | 'attempts'
> & {
  /** The error of the last attempt, when there was one. */
  readonly cause?: unknown
}

/**
 * Thrown when a call reaches its deadline, or its next wait would pass it. `cause` is the error of the
 * last attempt.
 */
export class DeadlineError extends RowkeyError {
  static {
    brand(DeadlineError, 'rowkey.deadlineError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'DeadlineError'
  /** The same for every deadline. */
  override readonly code = 'DeadlineExceeded'
  /** Whether the service may have applied the request. Always `false` for a read. */
  declare readonly mayHaveApplied: boolean
  /** How many attempts were made; 0 when the deadline had passed before the first. */
  declare readonly attempts: number

  constructor({ message, cause, ...facts }: DeadlineErrorOptions) {
    super({ message, cause })
    Object.assign(this, facts)
  }
}
