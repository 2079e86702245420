import { RowkeyError } from '@rowkey/odata'

/** What a {@link ResolverError} is made from. */
export interface ResolverErrorOptions {
  /** What was read: the class or the table. */
  readonly model: string
  /** PartitionKey of the row. */
  readonly partitionKey: string
  /** RowKey of the row. */
  readonly rowKey: string
  /** What the resolver threw. */
  readonly cause: unknown
}

/**
 * Thrown when a resolver throws: it names the row, and what the resolver threw is its `cause`. The row
 * has been read, so asking again without a change to either comes to the same.
 */
export class ResolverError extends RowkeyError {
  /** `ResolverError`. */
  override readonly name = 'ResolverError'
  /** `ResolverFailed`. */
  override readonly code = 'ResolverFailed'
  /** What was read: the class or the table. */
  readonly model: string
  /** PartitionKey of the row. */
  readonly partitionKey: string
  /** RowKey of the row. */
  readonly rowKey: string

  constructor({ model, partitionKey, rowKey, cause }: ResolverErrorOptions) {
    const key = JSON.stringify([partitionKey, rowKey])
    const said = cause instanceof Error ? `: ${cause.message}` : '.'
    super({ message: `The resolver threw on the row ${key} of ${model}${said}`, cause })
    this.model = model
    this.partitionKey = partitionKey
    this.rowKey = rowKey
  }
}
