import { InputError } from '@rowkey/odata'

/** What a {@link QueryError} is made from. */
export interface QueryErrorOptions {
  /** What is wrong, what the rule is, and how to mend it. */
  readonly message: string
  /** The model that was queried, where it is known. */
  readonly model?: string | undefined
  /** The property that the mistake is about, when it is about one. */
  readonly property?: string | undefined
}

/**
 * Thrown when a query can never be right: an unknown property, an operand that is `null`, a limit
 * that is no whole number. Nothing has been sent.
 */
export class QueryError extends InputError {
  /** `QueryError`. */
  override readonly name = 'QueryError'
  /** `InvalidQuery`. */
  override readonly code = 'InvalidQuery'
  /** The name of the model that was queried, where it is known. */
  readonly model: string | undefined
  /** The property, as the caller named it; `undefined` when the mistake is not about one. */
  readonly property: string | undefined

  constructor(options: QueryErrorOptions) {
    super(options)
    this.model = options.model
    this.property = options.property
  }
}
