import { InputError } from '@rowkey/odata'

/** What a {@link PropertyCountError} is made from. */
export interface PropertyCountErrorOptions {
  /** Which entity, what the rule is, and how to mend it. */
  readonly message: string
  /** How many properties the entity has. */
  readonly count: number
  /** How many it may have. */
  readonly limit: number
}

/**
 * Thrown when an entity has more than 252 properties besides PartitionKey, RowKey and Timestamp.
 */
export class PropertyCountError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'PropertyCountError'
  /** What programs branch on. */
  override readonly code = 'TooManyProperties'

  /** How many properties the entity has. */
  readonly count: number
  /** How many it may have. */
  readonly limit: number

  constructor(options: PropertyCountErrorOptions) {
    super(options)
    this.count = options.count
    this.limit = options.limit
  }
}
