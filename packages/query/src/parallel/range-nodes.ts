import { type EntityKey, keyBounds } from '@rowkey/odata'
import { loweredFilter } from '../key/lowered-filter.ts'
import { type QueryNode, withFilter } from '../query-node.ts'
import { compareKeys } from './compare-keys.ts'

/** One of several queries that are run at once. */
export interface RangeNode {
  /** The query. */
  readonly node: QueryNode
  /** None of its rows comes before this key. */
  readonly low: EntityKey
}

/** The queries that one query stands for, in the order in which their rows can begin. */
export function rangeNodes(node: QueryNode): readonly RangeNode[] {
  const { parallel, ...rest } = node
  const ranges = (parallel?.ranges ?? []).map((range) => {
    const ranged = withFilter(rest, range)
    return { node: ranged, low: lowestKey(ranged) }
  })
  return ranges.toSorted((one, other) => compareKeys(one.low, other.low))
}

/** RowKeys begin again in every partition, so their bound counts where there is one partition. */
function lowestKey(node: QueryNode): EntityKey {
  const { partitionKey, rowKey } = keyBounds(loweredFilter(node))
  const bound = partitionKey.exact === undefined ? undefined : rowKey.low
  return { partitionKey: partitionKey.low ?? '', rowKey: bound ?? '' }
}
