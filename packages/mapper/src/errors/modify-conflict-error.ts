import { type EntityKey, RowkeyError } from '@rowkey/odata'

/** What a `ModifyConflictError` is made from. */
export interface ModifyConflictErrorOptions {
  /** What was to be changed, and how to mend it. */
  readonly message: string
  /** PartitionKey and RowKey of the entity. */
  readonly key: EntityKey
  /** How often the entity was read, changed and sent. */
  readonly attempts: number
  /** The refusal of the last attempt. */
  readonly cause: unknown
}

/**
 * Thrown when others wrote an entity in each of the attempts to change it. Nothing of the change is
 * stored. `cause` is the refusal of the last attempt.
 */
export class ModifyConflictError extends RowkeyError {
  /** The name of the class, in minified code too. */
  override readonly name = 'ModifyConflictError'
  /** What programs branch on. */
  override readonly code = 'ModifyConflict'
  /** PartitionKey and RowKey of the entity. */
  readonly key: EntityKey
  /** How often the entity was read, changed and sent. */
  readonly attempts: number
  /** The service has not done what was asked. */
  readonly mayHaveApplied = false

  constructor({ message, key, attempts, cause }: ModifyConflictErrorOptions) {
    super({ message, cause })
    this.key = key
    this.attempts = attempts
  }
}
