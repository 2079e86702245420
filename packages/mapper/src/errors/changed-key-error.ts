import { InputError } from '@rowkey/odata'

/**
 * Thrown when the PartitionKey or RowKey of an entity changed since it was read, and it is about to
 * be merged, replaced or deleted: the write would miss the stored entity. Nothing has been sent.
 */
export class ChangedKeyError extends InputError {
  override readonly name = 'ChangedKeyError'
  override readonly code = 'ChangedKey'
}
