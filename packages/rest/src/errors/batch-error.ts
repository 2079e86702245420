import type { EntityKey } from '@rowkey/odata'
import { ServiceError, type ServiceErrorOptions } from './service-error.ts'

/** One change of an entity group transaction, as its error names it. */
export interface FailedChange {
  /** The change's operation, such as `mergeEntity`. */
  readonly operation: string
  /** PartitionKey and RowKey of its entity. */
  readonly key: EntityKey
}

/** What a {@link BatchError} is made from. */
export interface BatchErrorOptions extends ServiceErrorOptions {
  /** Which change failed, counted from 0; `undefined` when the service did not say. */
  readonly index: number | undefined
  /** The change that failed. */
  readonly change: FailedChange | undefined
}

/**
 * Thrown when one change of an entity group transaction failed, and with it all of them: nothing
 * was stored. `status` and `code` are those of the change.
 */
export class BatchError extends ServiceError {
  /** The name of the class, in minified code too. */
  override readonly name = 'BatchError'

  /** Which change failed, counted from 0; `undefined` when the service did not say. */
  readonly index: number | undefined

  /** The change that failed; `undefined` when the service did not say which. */
  readonly change: FailedChange | undefined

  constructor(options: BatchErrorOptions) {
    super(options)
    this.index = options.index
    this.change = options.change
  }
}
