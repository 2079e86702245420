import { DecodeError, type EntityKey } from '@rowkey/odata'

/** What a {@link VersionError} is made from. */
export interface VersionErrorOptions {
  /** The model that was to read the row. */
  readonly className: string
  /** Which row it is. */
  readonly key: EntityKey
  /** The version of the row; `undefined` when what is stored is none. */
  readonly stored: number | undefined
  /** What is wrong, and what can be done. */
  readonly problem: string
}

/**
 * Thrown when a stored entity is of a version that cannot be read here: a later one than the model, so
 * that a newer program wrote it, or an earlier one that nothing migrates.
 */
export class VersionError extends DecodeError {
  /** `VersionError`. */
  override readonly name = 'VersionError'
  /** `UnreadableVersion`: what programs branch on. */
  override readonly code = 'UnreadableVersion'
  /** PartitionKey of the row. */
  readonly partitionKey: string
  /** RowKey of the row. */
  readonly rowKey: string
  /** The version of the row; `undefined` when what is stored is none. */
  readonly stored: number | undefined

  constructor({ className, key, stored, problem }: VersionErrorOptions) {
    const { partitionKey, rowKey } = key
    super({
      message: `${className}: the row ${JSON.stringify([partitionKey, rowKey])} ${problem}`,
      details: { partitionKey, rowKey },
    })
    this.partitionKey = partitionKey
    this.rowKey = rowKey
    this.stored = stored
  }
}
