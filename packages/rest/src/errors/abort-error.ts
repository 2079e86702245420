import { brand, RowkeyError } from '@rowkey/odata'

/** The options of an `AbortError`. */
export interface AbortErrorOptions {
  /** The reason of the signal, which becomes the error's `cause`. */
  readonly reason: unknown
  /** Whether the service may have applied the request. */
  readonly mayHaveApplied: boolean
  /** What aborted, as a sentence; by default, the call's signal. */
  readonly event?: string | undefined
}

/** Thrown when the caller's signal aborts. `cause` is the signal's reason. Nothing is sent later. */
export class AbortError extends RowkeyError {
  static {
    brand(AbortError, 'rowkey.abortError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'AbortError'
  /** The same for every abort. */
  override readonly code = 'Aborted'
  /** Whether the service may have applied the request before the abort. Always `false` for a read. */
  override readonly mayHaveApplied: boolean

  constructor({
    reason,
    mayHaveApplied,
    event = 'The call was aborted by its signal.',
  }: AbortErrorOptions) {
    const outcome = mayHaveApplied
      ? 'The request had been sent and may have been applied.'
      : 'Nothing was changed.'
    super({ message: `${event} ${outcome}`, cause: reason })
    this.mayHaveApplied = mayHaveApplied
  }
}
