/**
 * Holds what is kept in step with the rows of a model. Each model has its own, and all its tables ask it at each write and query, so
 * a declaration may also come after a table was opened. `keepRows` and `forbidKeepers` fill it.
 */
export interface KeptSlot {
  /**
   * The keepers; absent without any.
   *
   * @internal
   */
  keepers?: object | undefined
  /**
   * The declaration that writes rows past the tables, so that nothing can be kept; absent without one.
   *
   * @internal
   */
  alone?: LoneDeclaration | undefined
}

/** A declaration that writes the rows of a model past its tables. */
export interface LoneDeclaration {
  /** The function that declared it: `wideEntity`. */
  readonly declaration: string
  /** Why it cannot share a model, as a sentence. */
  readonly reason: string
}
