import type { EntityKey } from '@rowkey/odata'
import { brand } from '@rowkey/odata'
import { ServiceError, type ServiceErrorOptions } from './service-error.ts'

/** The change of an entity group transaction that failed. */
export interface FailedChange {
  /** The operation of the change, such as `mergeEntity`. */
  readonly operation: string
  /** PartitionKey and RowKey of its entity. */
  readonly key: EntityKey
}

/** The options of a {@link BatchError}. */
export type BatchErrorOptions = ServiceErrorOptions &
  Pick<BatchError, 'index' | 'change'> &
  Partial<Pick<BatchError, 'retryAfter'>>

/**
 * Thrown when one change of an entity group transaction fails, and with it all of them: nothing was
 * stored. `status` and `code` are those of the change.
 */
export class BatchError extends ServiceError {
  static {
    brand(BatchError, 'rowkey.batchError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'BatchError'
  /** Which change failed, counted from 0; `undefined` when the service did not say. */
  declare readonly index: number | undefined
  /** The change that failed; `undefined` when the service did not say which. */
  declare readonly change: FailedChange | undefined
  /** Milliseconds that the failed part asks the client to wait; `undefined` if it does not. */
  declare readonly retryAfter: number | undefined

  constructor(options: BatchErrorOptions) {
    super(options)
  }
}
