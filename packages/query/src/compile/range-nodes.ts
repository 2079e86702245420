import { compareKeys, type EntityKey, keyBounds } from '@rowkey/odata'
import { loweredFilter } from '../key/key-lowering.ts'
import { type QueryNode, withFilter } from '../node/query-node.ts'

/** One of several queries that run at once. */
export interface RangeNode {
  /** The query. */
  readonly node: QueryNode
  /** None of its rows comes before this key. */
  readonly low: EntityKey
}

/** Splits a query into the queries that it stands for, in the order in which their rows can begin. */
export function rangeNodes(node: QueryNode): readonly RangeNode[] {
  const { parallel, ...rest } = node
  const ranges = (parallel?.ranges ?? []).map((range) => {
    const ranged = withFilter(rest, range)
    return { node: ranged, low: lowestKey(ranged) }
  })
  return ranges.toSorted((one, other) => compareKeys(one.low, other.low))
}

/** RowKeys begin again in every partition, so their bound counts only within one partition. */
function lowestKey(node: QueryNode): EntityKey {
  const { partitionKey, rowKey } = keyBounds(loweredFilter(node))
  const bound = partitionKey.exact === undefined ? undefined : rowKey.low
  return { partitionKey: partitionKey.low ?? '', rowKey: bound ?? '' }
}
