import { countComparisons, type Interval, keyBounds, MAX_COMPARISONS } from '@rowkey/odata'
import { type CompiledQuery, compileQuery } from './compile-query.ts'
import type { QueryNode } from './query-node.ts'

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

/** What a query would send and cost, told without sending it. */
export interface QueryPlan extends CompiledQuery {
  /** What the service must read. */
  plan: PlanClass
  /** How many comparisons the filter holds; the service documents 15 as its limit. */
  comparisons: number
  /** What the service may refuse or take long for, in words; absent when there is nothing to say. */
  warnings?: readonly string[]
}

/** The plan of a query. */
export function planQuery(node: QueryNode): QueryPlan {
  const comparisons = node.filter === undefined ? 0 : countComparisons(node.filter)
  const plan = { plan: planClass(node), ...compileQuery(node), comparisons }
  return comparisons > MAX_COMPARISONS ? { ...plan, warnings: [tooMany(comparisons)] } : plan
}

/** A warning and no error: the service documents the limit, and often takes more. */
function tooMany(comparisons: number): string {
  return `The filter holds ${comparisons} comparisons, and the service promises to take ${MAX_COMPARISONS}. Ask in several queries, or by a range of keys.`
}

/** What the service must read to answer a query. */
export function planClass({ filter }: QueryNode): PlanClass {
  const { partitionKey, rowKey } = keyBounds(filter)
  if (partitionKey.exact === undefined) return bounds(partitionKey) ? 'tableRange' : 'tableScan'
  if (rowKey.exact !== undefined) return 'point'
  return bounds(rowKey) ? 'range' : 'partitionScan'
}

/** Whether an interval leaves anything out. From the empty key on is everything. */
function bounds({ low, lowInclusive, high }: Interval): boolean {
  return high !== undefined || (low !== undefined && (low !== '' || !lowInclusive))
}
