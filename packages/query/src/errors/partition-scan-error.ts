import { InputError } from '@rowkey/odata'

/** What a {@link PartitionScanError} is made from. */
export interface PartitionScanErrorOptions {
  /** What would be scanned, and the two ways out. */
  readonly message: string
  /** The model that was queried. */
  readonly model: string
  /** The `$filter` that would have been sent. */
  readonly filter: string | undefined
}

/**
 * Thrown when a query that says nothing about RowKey is run where a setting refuses partition scans:
 * the service would read every entity of the partition, whatever comes back. Nothing has been sent.
 *
 * Either bound RowKey, or say `.allowPartitionScan()` to mean it.
 */
export class PartitionScanError extends InputError {
  /** `PartitionScanError`. */
  override readonly name = 'PartitionScanError'
  /** `PartitionScan`. */
  override readonly code = 'PartitionScan'
  /** The name of the model that was queried. */
  readonly model: string
  /** The `$filter` that would have been sent. */
  readonly filter: string | undefined

  constructor(options: PartitionScanErrorOptions) {
    super(options)
    this.model = options.model
    this.filter = options.filter
  }
}
