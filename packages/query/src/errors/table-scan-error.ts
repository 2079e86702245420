import { InputError } from '@rowkey/odata'

/** What a {@link TableScanError} is made from. */
export interface TableScanErrorOptions {
  /** What would be scanned, and the two ways out. */
  readonly message: string
  /** The model that was queried. */
  readonly model: string
  /** The `$filter` that would have been sent; `undefined` when there is no condition at all. */
  readonly filter: string | undefined
}

/**
 * Thrown when a query that says nothing about PartitionKey is run: the service would read every
 * entity of the table, and bill for it, whatever comes back. Nothing has been sent.
 *
 * Either bound PartitionKey, or say `.allowTableScan()` to mean it.
 */
export class TableScanError extends InputError {
  /** `TableScanError`. */
  override readonly name = 'TableScanError'
  /** `TableScan`. */
  override readonly code = 'TableScan'
  /** The name of the model that was queried. */
  readonly model: string
  /** The `$filter` that would have been sent; `undefined` when there is no condition at all. */
  readonly filter: string | undefined

  constructor(options: TableScanErrorOptions) {
    super(options)
    this.model = options.model
    this.filter = options.filter
  }
}
