import { RowkeyError } from '@rowkey/odata'

/** What a {@link DeadlineError} is made from. */
export interface DeadlineErrorOptions {
  /** What was to be done, and how far it came. */
  readonly message: string
  /** Whether the service may have done what was asked. */
  readonly mayHaveApplied: boolean
  /** How many attempts were made. */
  readonly attempts: number
  /** What the last attempt failed with, when there was one. */
  readonly cause?: unknown
}

/**
 * Thrown when the time that a call was given is over, or the next wait would go past its end.
 * `cause` is what the last attempt failed with.
 */
export class DeadlineError extends RowkeyError {
  /** The name of the class, in minified code too. */
  override readonly name = 'DeadlineError'
  /** What programs branch on. */
  override readonly code = 'DeadlineExceeded'

  /** Whether the service may have done what was asked. Always `false` for a read. */
  readonly mayHaveApplied: boolean

  /** How many attempts were made; 0 when the time was over before the first. */
  readonly attempts: number

  constructor(options: DeadlineErrorOptions) {
    super({ message: options.message, cause: options.cause })
    this.mayHaveApplied = options.mayHaveApplied
    this.attempts = options.attempts
  }
}
