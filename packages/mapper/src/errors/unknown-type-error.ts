import { DecodeError, type EntityKey } from '@rowkey/odata'

/** What an {@link UnknownTypeError} is made from. */
export interface UnknownTypeErrorOptions {
  /** Which row it is. */
  readonly key: EntityKey
  /** How each type is told, as messages say it: `Order (RowKey 0002_…)`. */
  readonly known: readonly string[]
}

/**
 * Thrown when a row was read that is of none of the types that were asked for: someone else writes to
 * the table too, or with a newer program.
 */
export class UnknownTypeError extends DecodeError {
  /** `UnknownTypeError`. */
  override readonly name = 'UnknownTypeError'
  /** `UnknownType`: what programs branch on. */
  override readonly code = 'UnknownType'
  /** PartitionKey of the row. */
  readonly partitionKey: string
  /** RowKey of the row. */
  readonly rowKey: string

  constructor({ key: { partitionKey, rowKey }, known }: UnknownTypeErrorOptions) {
    super({
      message:
        `The row ${JSON.stringify([partitionKey, rowKey])} is of none of the types that are known here: ` +
        `${known.join(', ')}. Add its type to the union, or read such rows as they are by ` +
        "union(…, { unknown: 'dynamic' }).",
      details: { partitionKey, rowKey },
    })
    this.partitionKey = partitionKey
    this.rowKey = rowKey
  }
}
