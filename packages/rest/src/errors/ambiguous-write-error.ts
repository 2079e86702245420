import { RowkeyError } from '@rowkey/odata'

/** What became of a write, as far as can be seen. */
export type WriteOutcome = 'applied' | 'not applied' | 'unknown'

/** What looking at what is stored has shown. */
export interface Resolution {
  /** What became of the write. */
  readonly outcome: WriteOutcome
  /** Why nothing could be seen: the credential does not allow to read, say. */
  readonly reason?: unknown
}

/** What an {@link AmbiguousWriteError} is made from. */
export interface AmbiguousWriteErrorOptions {
  /** What was to be written, and what is not known. */
  readonly message: string
  /** How many attempts were made. */
  readonly attempts: number
  /** What the last attempt failed with. */
  readonly cause: unknown
  /** Looks at what is stored. */
  readonly resolve: () => Promise<Resolution>
}

/**
 * Thrown when nobody can say whether a write was applied: the answer to an attempt was lost, and no
 * later answer settled it. `cause` is what the last attempt failed with.
 *
 * @example
 * ```ts
 * try {
 *   await customers.merge(jeff)
 * } catch (error) {
 *   if (!(error instanceof AmbiguousWriteError)) throw error
 *   if ((await error.resolve()) !== 'not applied') return showToAPerson(error)
 *   await customers.merge(jeff)
 * }
 * ```
 */
export class AmbiguousWriteError extends RowkeyError {
  /** The name of the class, in minified code too. */
  override readonly name = 'AmbiguousWriteError'
  /** What programs branch on. */
  override readonly code = 'AmbiguousWrite'

  /** Whether the service may have done what was asked: that it may is what this error says. */
  readonly mayHaveApplied = true

  /** How many attempts were made, the last one included. */
  readonly attempts: number

  /**
   * Why the last {@link AmbiguousWriteError.resolve} saw nothing, such as a `SasScopeError` of a token
   * that does not allow to read; `undefined` when it saw what is stored, or was not called.
   */
  unseenBecause: unknown

  readonly #resolve: () => Promise<Resolution>

  constructor(options: AmbiguousWriteErrorOptions) {
    super({ message: options.message, cause: options.cause })
    this.attempts = options.attempts
    this.#resolve = options.resolve
  }

  /**
   * Looks at what is stored now and decides by it, as often as it is called. It reads and never
   * writes.
   *
   * `'not applied'` means that nothing of the write is stored so far: an attempt that is still on its
   * way, or one that someone undid since, cannot be seen. `'applied'` is said where what is stored is
   * what was to be written, and never of a write that went by an ETag: someone else may have written
   * the same.
   *
   * Who may write and not read learns `'unknown'`, and `unseenBecause` says why.
   *
   * @throws {@link TransportError} or {@link ServiceError} when the service cannot be read
   */
  async resolve(): Promise<WriteOutcome> {
    const { outcome, reason } = await this.#resolve()
    this.unseenBecause = reason
    return outcome
  }
}
