import type { EntityKey } from '@rowkey/odata'

/** One end of a {@link SasKeyRange}; it is part of the range. */
export interface SasBound {
  /** The first or last PartitionKey. Only the first may be empty, and only without a RowKey: the signature does not cover an empty key. */
  readonly partitionKey: string
  /**
   * The first RowKey within the first PartitionKey, or the last within the last. The last must not be empty. Partitions
   * in between are whole.
   *
   * @defaultValue the whole partition
   */
  readonly rowKey?: string | undefined
}

/** The entities of a table SAS, in the order of their keys, PartitionKey first. */
export interface SasKeyRange {
  /**
   * The first key of the range.
   *
   * @defaultValue the first of the table
   */
  readonly from?: SasBound | undefined
  /**
   * The last key of the range.
   *
   * @defaultValue the last of the table
   */
  readonly to?: SasBound | undefined
}

/**
 * Tells whether an entity is in a range. Keys compare ordinally, as pairs.
 *
 * @param range - first and last key
 * @param key - the entity's
 * @see https://learn.microsoft.com/rest/api/storageservices/create-service-sas
 */
export function isInSasKeyRange({ from, to }: SasKeyRange, key: EntityKey): boolean {
  const { partitionKey, rowKey } = key
  if (from !== undefined) {
    if (partitionKey < from.partitionKey) return false
    if (partitionKey === from.partitionKey && rowKey < (from.rowKey ?? '')) return false
  }
  if (to === undefined || partitionKey < to.partitionKey) return true
  return partitionKey === to.partitionKey && (to.rowKey === undefined || rowKey <= to.rowKey)
}
