import { brand, RowkeyError } from '@rowkey/odata'

/** The outcome of a write, as far as the stored rows show it. */
export type WriteOutcome = 'applied' | 'not applied' | 'unknown'

/** The outcome that the stored rows show. */
export interface Resolution {
  /** The outcome of the write. */
  readonly outcome: WriteOutcome
  /** Why nothing could be read: a credential without permission to read, for example. */
  readonly reason?: unknown
}

/** The options of an {@link AmbiguousWriteError}. */
export interface AmbiguousWriteErrorOptions {
  /** The message: the write, and why its outcome is unknown. */
  readonly message: string
  /** How many attempts were made. */
  readonly attempts: number
  /** The error of the last attempt. */
  readonly cause: unknown
  /** Reads what is stored. */
  readonly resolve: () => Promise<Resolution>
}

/**
 * Thrown when it is unknown whether a write was applied: the response to an attempt was lost, and no
 * later response settled it. `cause` is the error of the last attempt.
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
  static {
    brand(AmbiguousWriteError, 'rowkey.ambiguousWriteError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'AmbiguousWriteError'
  /** The same for every ambiguous write. */
  override readonly code = 'AmbiguousWrite'
  /** Always true: the service may have applied the write. */
  override readonly mayHaveApplied = true
  /** How many attempts were made, the last one included. */
  readonly attempts: number
  /**
   * Why the last {@link AmbiguousWriteError.resolve} could not read, such as an InputError with the
   * code `OutsideSasScope`; `undefined` when it could, or was not called.
   */
  unseenBecause: unknown
  readonly #resolve: () => Promise<Resolution>

  constructor({ message, attempts, cause, resolve }: AmbiguousWriteErrorOptions) {
    super({ message, cause })
    this.attempts = attempts
    this.#resolve = resolve
  }

  /**
   * Reads the stored rows and determines the outcome. It can be called repeatedly, and never
   * writes, except
   * for an exact write: that stores a fence first, so `'not applied'` is final.
   *
   * - `'not applied'`: nothing of the write is stored so far. It cannot see an attempt that is still in
   *   flight, or one that was undone since.
   * - `'applied'`: the stored entity has the content of the write. Never for a write with an ETag, because
   *   another program may have written the same.
   * - `'unknown'`: neither can be said. With a credential that may write and not read,
   *   `unseenBecause` says why.
   *
   * @throws {@link TransportError} or {@link ServiceError} when reading fails
   */
  async resolve(): Promise<WriteOutcome> {
    const { outcome, reason } = await this.#resolve()
    this.unseenBecause = reason
    return outcome
  }
}
