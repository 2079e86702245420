import { brand, type EntityKey, RowkeyError } from '@rowkey/odata'

/** The options of a `KeptRowConflictError`. */
export interface KeptRowConflictErrorOptions {
  /** The table. */
  readonly table: string
  /** PartitionKey and RowKey of the kept row. */
  readonly key: EntityKey
  /** What the row holds, such as `summary staff of Employee`; absent when its keeper does not say. */
  readonly keptFor?: string | undefined
  /** How often the write was planned and sent. */
  readonly attempts: number
  /** The error of the last attempt. */
  readonly cause: unknown
}

/**
 * Thrown by a write when other programs changed a row that a pattern stores with its entity, such as a count, during each attempt. Nothing
 * was stored. `cause` is the error of the last attempt.
 */
export class KeptRowConflictError extends RowkeyError {
  static {
    brand(KeptRowConflictError, 'rowkey.keptRowConflictError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'KeptRowConflictError'
  /** What programs branch on. */
  override readonly code = 'KeptRowConflict'
  /** PartitionKey and RowKey of the kept row. */
  readonly key: EntityKey
  /** What the row holds, such as `summary staff of Employee`. */
  readonly keptFor: string | undefined
  /** How often the write was planned and sent. */
  readonly attempts: number
  /** The write was not applied. */
  override readonly mayHaveApplied = false

  constructor({ table, key, keptFor, attempts, cause }: KeptRowConflictErrorOptions) {
    const row = JSON.stringify([key.partitionKey, key.rowKey])
    const what = keptFor === undefined ? '' : ` of ${keptFor}`
    super({
      message: `Other programs changed the row ${row}${what} in table ${table} in each of ${attempts} attempts of a write that also changes it. Nothing was stored. Try later, allow more attempts, or spread the writes.`,
      cause,
    })
    this.key = key
    this.keptFor = keptFor
    this.attempts = attempts
  }
}
