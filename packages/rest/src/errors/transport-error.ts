import { RowkeyError } from '@rowkey/odata'

/** What a {@link TransportError} is made from. */
export interface TransportErrorOptions {
  /** What was sent where, and what became of it. Never holds a key, a signature or a SAS. */
  readonly message: string
  /** Whether the service may have done what was asked. */
  readonly mayHaveApplied: boolean
  /** The socket's error, when there is one. */
  readonly cause?: unknown
}

/**
 * Thrown when no whole answer came: the connection broke, or closed in the middle of the body.
 *
 * For a write this may mean that it was done and only the answer was lost; `mayHaveApplied` says so.
 */
export class TransportError extends RowkeyError {
  /** The name of the class, in minified code too. */
  override readonly name: string = 'TransportError'
  /** What programs branch on. */
  override readonly code: string = 'TransportFailed'

  /** Whether the service may have done what was asked. Always `false` for a read. */
  readonly mayHaveApplied: boolean

  /** How many attempts were made, the last one included. */
  attempts = 1

  constructor(options: TransportErrorOptions) {
    super(options)
    this.mayHaveApplied = options.mayHaveApplied
  }
}
