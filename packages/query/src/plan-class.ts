import { type FilterNode, type Interval, keyBounds } from '@rowkey/odata'

/**
 * What the service must read to answer, from cheap to dear:
 *
 * - `point`: one entity, both keys given
 * - `range`: a stretch of RowKeys in one partition
 * - `partitionScan`: one whole partition
 * - `tableRange`: every partition in a stretch of PartitionKeys
 * - `tableScan`: the whole table, since nothing is said about PartitionKey
 *
 * Only what all entities must fulfil counts: a key under `or`, `not` or `ne` bounds nothing, so an
 * `or` over RowKeys is a partition scan.
 */
export type PlanClass = 'point' | 'range' | 'partitionScan' | 'tableRange' | 'tableScan'

/** What the service must read to answer a filter; without one it is the whole table. */
export function planClassOf(filter: FilterNode | undefined): PlanClass {
  const { partitionKey, rowKey } = keyBounds(filter)
  if (partitionKey.exact === undefined) return bounds(partitionKey) ? 'tableRange' : 'tableScan'
  if (rowKey.exact !== undefined) return 'point'
  return bounds(rowKey) ? 'range' : 'partitionScan'
}

/** Whether an interval leaves anything out. From the empty key on is everything. */
function bounds({ low, lowInclusive, high }: Interval): boolean {
  return high !== undefined || (low !== undefined && (low !== '' || !lowInclusive))
}
