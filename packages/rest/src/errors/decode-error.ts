import { RowkeyError } from '@rowkey/odata'

/** What a {@link DecodeError} is made from. */
export interface DecodeErrorOptions {
  /** Where in the answer, what was expected, and what was found. */
  readonly message: string
  /** Whether the service may have done what was asked. */
  readonly mayHaveApplied: boolean
  /** The parser's error, when there is one. */
  readonly cause?: unknown
}

/**
 * Thrown when an answer came that the protocol does not allow: not JSON, a redirect, a batch with
 * too few results, a body without end. Something between here and the service is often the cause.
 */
export class DecodeError extends RowkeyError {
  /** The name of the class, in minified code too. */
  override readonly name = 'DecodeError'
  /** What programs branch on. */
  override readonly code = 'UnexpectedAnswer'

  /** Whether the service may have done what was asked. Always `false` for a read. */
  readonly mayHaveApplied: boolean

  constructor(options: DecodeErrorOptions) {
    super(options)
    this.mayHaveApplied = options.mayHaveApplied
  }
}
