import { RowkeyError } from '@rowkey/odata'

/** What an {@link AbortError} is made from. */
export interface AbortErrorOptions {
  /** The signal's reason, kept as the error's `cause`. */
  readonly reason: unknown
  /** Whether the service may have done what was asked. */
  readonly mayHaveApplied: boolean
}

/**
 * Thrown when the caller's signal aborted. `cause` is the signal's reason. Nothing is sent
 * afterwards.
 */
export class AbortError extends RowkeyError {
  /** The name of the class, in minified code too. */
  override readonly name = 'AbortError'
  /** What programs branch on. */
  override readonly code = 'Aborted'

  /** Whether the service may have done what was asked before the abort. Always `false` for a read. */
  readonly mayHaveApplied: boolean

  constructor(options: AbortErrorOptions) {
    const outcome = options.mayHaveApplied
      ? 'The request had been sent and may have been applied.'
      : 'Nothing was changed.'
    super({ message: `The call was aborted by its signal. ${outcome}`, cause: options.reason })
    this.mayHaveApplied = options.mayHaveApplied
  }
}
