import { InputError } from '@rowkey/odata'

/**
 * Thrown when the PartitionKey or RowKey of an entity changed since it was read, and it is about to
 * be merged, replaced or deleted: the write would miss the stored entity. Nothing has been sent.
 */
export class ChangedKeyError extends InputError {
  /** `ChangedKeyError`. */
  override readonly name = 'ChangedKeyError'
  /** `ChangedKey`: what programs branch on. */
  override readonly code = 'ChangedKey'
}
