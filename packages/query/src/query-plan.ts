import { countComparisons, type EntityKey, type FilterNode, MAX_COMPARISONS } from '@rowkey/odata'
import { type CompiledQuery, compileQuery } from './compile-query.ts'
import { loweredFilter } from './key/lowered-filter.ts'
import { type PlanClass, planClassOf } from './plan-class.ts'
import { planReasons } from './plan-reasons.ts'
import type { QueryNode } from './query-node.ts'
import { allowsPlan } from './scan-policy.ts'

/** What a filter costs. */
export interface FilterPlan {
  /** What the service must read. */
  plan: PlanClass
  /** How many comparisons the filter holds; the service documents 15 as its limit. */
  comparisons: number
  /** Why it is so, in words, with the cheaper way where there is one. */
  reasons: readonly string[]
  /** What may be refused or take long, in words; absent when there is nothing to say. */
  warnings?: readonly string[]
}

/** What a query would send and cost, told without sending it. */
export interface QueryPlan extends CompiledQuery, FilterPlan {
  /** The entities that are read one by one, in place of the filter; absent when it is sent. */
  pointReads?: readonly EntityKey[]
  /** The queries that are run at once, in place of the filter; absent when it is sent. */
  queries?: readonly QueryPlan[]
}

/**
 * What any filter costs, also one that was parsed from text: only what it says about PartitionKey and
 * RowKey counts.
 *
 * @param filter - the tree; `undefined` is no filter
 *
 * @example
 * ```ts
 * planOf(parseFilter("PartitionKey eq 'Smith' and (RowKey eq 'Ann' or RowKey eq 'Jeff')")).plan
 * // 'partitionScan'; its reasons say that two reads by key cost less
 * ```
 */
export function planOf(filter: FilterNode | undefined): FilterPlan {
  const comparisons = filter === undefined ? 0 : countComparisons(filter)
  const plan = { plan: planClassOf(filter), comparisons, reasons: planReasons(filter) }
  return comparisons > MAX_COMPARISONS ? { ...plan, warnings: [tooMany(comparisons)] } : plan
}

/** The plan of a query. */
export function planQuery(node: QueryNode): QueryPlan {
  const { reasons, warnings = [], ...plan } = planOf(loweredFilter(node))
  const allWarnings = [...warnings, ...refusal(node, plan.plan), ...localWarning(node)]
  return {
    ...plan,
    ...compileQuery(node),
    reasons,
    ...(allWarnings.length > 0 && { warnings: allWarnings }),
  }
}

/** A warning and no error: the service documents the limit, and often takes more. */
function tooMany(comparisons: number): string {
  return `The filter holds ${comparisons} comparisons, and the service promises to take ${MAX_COMPARISONS}. Ask in several queries, or by a range of keys.`
}

function refusal({ scans }: QueryNode, plan: PlanClass): readonly string[] {
  if (allowsPlan(scans, plan)) return []
  const leave = plan === 'partitionScan' ? 'allowPartitionScan' : 'allowTableScan'
  return [`Running it is refused unless .${leave}() is said.`]
}

/** What a filter on this side costs, where there is one. */
export function localWarning({ localFilter }: QueryNode): readonly string[] {
  if (localFilter === undefined) return []
  return [
    'filterLocally drops rows after they were read: the service reads, sends and bills all that the filter matches.',
  ]
}

/** What the service must read to answer a query. */
export function planClass(node: QueryNode): PlanClass {
  return planClassOf(loweredFilter(node))
}
