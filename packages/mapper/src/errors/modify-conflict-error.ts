import { brand, type EntityKey, RowkeyError } from '@rowkey/odata'

/** The options of a `ModifyConflictError`. */
export interface ModifyConflictErrorOptions {
  /** Which entity was not modified, and what to do. */
  readonly message: string
  /** PartitionKey and RowKey of the entity. */
  readonly key: EntityKey
  /** How often the entity was read, changed and sent. */
  readonly attempts: number
  /** The error of the last attempt. */
  readonly cause: unknown
}

/**
 * Thrown when another client changed the entity during each attempt of `modify`. Nothing was stored.
 * `cause` is the error of the last attempt.
 */
export class ModifyConflictError extends RowkeyError {
  static {
    brand(ModifyConflictError, 'rowkey.modifyConflictError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'ModifyConflictError'
  /** What programs branch on. */
  override readonly code = 'ModifyConflict'
  /** PartitionKey and RowKey of the entity. */
  readonly key: EntityKey
  /** How often the entity was read, changed and sent. */
  readonly attempts: number
  /** The write was not applied. */
  override readonly mayHaveApplied = false

  constructor({ message, key, attempts, cause }: ModifyConflictErrorOptions) {
    super({ message, cause })
    this.key = key
    this.attempts = attempts
  }
}
