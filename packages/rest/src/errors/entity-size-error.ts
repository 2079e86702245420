import { InputError } from '@rowkey/odata'

/** What an {@link EntitySizeError} is made from. */
export interface EntitySizeErrorOptions {
  /** Which entity, what the rule is, and how to mend it. */
  readonly message: string
  /** The property that is too large, or the largest of an entity that is. */
  readonly property: string
  /** Bytes as the service counts them. */
  readonly size: number
  /** How many bytes there may be. */
  readonly limit: number
}

/**
 * Thrown when an entity is larger than 1 MiB (2 MiB on Cosmos DB), or one of its properties larger
 * than 64 KiB, as the service counts.
 */
export class EntitySizeError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'EntitySizeError'
  /** What programs branch on. */
  override readonly code = 'EntityTooLarge'

  /** The property that is too large, or the largest of an entity that is. */
  readonly property: string
  /** Bytes as the service counts them. */
  readonly size: number
  /** How many bytes there may be. */
  readonly limit: number

  constructor(options: EntitySizeErrorOptions) {
    super(options)
    this.property = options.property
    this.size = options.size
    this.limit = options.limit
  }
}
