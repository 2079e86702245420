import type { EntityKey } from '@rowkey/odata'

/**
 * Which of two keys comes first in a table: by PartitionKey, then by RowKey, by UTF-16 units.
 *
 * @returns negative, zero or positive
 */
export function compareKeys(one: EntityKey, other: EntityKey): number {
  return order(one.partitionKey, other.partitionKey) || order(one.rowKey, other.rowKey)
}

function order(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
