/** Every copy of the package finds the same symbol, so that copies recognize each other's errors. */
const BRAND = Symbol.for('rowkey.error')

/** What every {@link RowkeyError} is made from. */
export interface RowkeyErrorOptions {
  /** What went wrong, the rule, and the fix. It never contains a key, a signature or a SAS. */
  readonly message: string
  /** The error below this one, when there is one. */
  readonly cause?: unknown
}

/**
 * The base of every error that Rowkey throws on purpose.
 *
 * `code` is a literal that programs can branch on; `message` is for people. Use {@link isRowkeyError}
 * rather than `instanceof` when two copies of the package may be loaded (ESM and CommonJS, say).
 *
 * @example
 * ```ts
 * try {
 *   await customers.get(['Smith', 'Jeff'])
 * } catch (error) {
 *   if (isRowkeyError(error) && error.code === 'ResourceNotFound') return undefined
 *   throw error
 * }
 * ```
 */
export abstract class RowkeyError extends Error {
  /** A literal that names the kind of failure. */
  abstract readonly code: string
  /**
   * Whether the service may have applied the request; absent for errors that occur before anything is sent,
   * such as an `InputError`.
   */
  declare readonly mayHaveApplied?: boolean

  static {
    Object.defineProperty(RowkeyError.prototype, BRAND, { value: true })
  }

  constructor(options: RowkeyErrorOptions) {
    super(options.message, 'cause' in options ? { cause: options.cause } : undefined)
  }
}

/**
 * Tells whether a value is an error of Rowkey's, whichever copy of the package made it.
 *
 * @param value - anything, usually what a `catch` received
 * @returns true for every {@link RowkeyError}
 */
export function isRowkeyError(value: unknown): value is RowkeyError {
  return value instanceof Error && BRAND in value
}
