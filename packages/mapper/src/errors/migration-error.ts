import { DecodeError, type EntityKey } from '@rowkey/odata'

/** What a {@link MigrationError} is made from. */
export interface MigrationErrorOptions {
  /** The model that was to come out. */
  readonly className: string
  /** Which row it is. */
  readonly key: EntityKey
  /** What is wrong. */
  readonly problem: string
  /** What `migrate` threw, or why what it gave cannot be stored. */
  readonly cause?: unknown
}

/**
 * Thrown when a stored entity of an earlier version cannot be made one of this version: `migrate` threw,
 * gave something that cannot be stored, or changed the keys. Nothing has been sent.
 */
export class MigrationError extends DecodeError {
  /** `MigrationError`. */
  override readonly name = 'MigrationError'
  /** `MigrationFailed`: what programs branch on. */
  override readonly code = 'MigrationFailed'
  /** PartitionKey of the row. */
  readonly partitionKey: string
  /** RowKey of the row. */
  readonly rowKey: string

  constructor({ className, key, problem, cause }: MigrationErrorOptions) {
    const { partitionKey, rowKey } = key
    const row = JSON.stringify([partitionKey, rowKey])
    super({
      message: `${className}: migrating the row ${row} failed: ${problem}`,
      cause,
      details: { partitionKey, rowKey },
    })
    this.partitionKey = partitionKey
    this.rowKey = rowKey
  }
}
