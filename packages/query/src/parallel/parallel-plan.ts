import { compileQuery } from '../compile-query.ts'
import type { PlanClass } from '../plan-class.ts'
import { type ParallelNode, type QueryNode, withChange } from '../query-node.ts'
import { planQuery, type QueryPlan } from '../query-plan.ts'
import { rangeNodes } from './range-nodes.ts'

const FROM_CHEAP_TO_DEAR: readonly PlanClass[] = [
  'point',
  'range',
  'partitionScan',
  'tableRange',
  'tableScan',
]

/**
 * The plan of a query that stands for several: that of each, and the dearest as its own. It has no
 * filter, as none is sent that is not one of theirs.
 */
export function parallelPlan(node: QueryNode, parallel: ParallelNode): QueryPlan {
  const queries = rangeNodes(node).map((range) => planQuery(range.node))
  const plans = new Set(queries.map(({ plan }) => plan))
  const how = parallel.order === 'keys' ? 'in the order of their keys' : 'as they arrive'
  const warnings = new Set(queries.flatMap((query) => query.warnings ?? []))
  // What every query may still lack need not be there before: a part of a key, for one.
  const { filter: _filter, ...shared } = compileQuery(withChange(node, { filter: undefined }))
  return {
    ...shared,
    plan: FROM_CHEAP_TO_DEAR.findLast((plan) => plans.has(plan)) ?? 'point',
    comparisons: Math.max(0, ...queries.map(({ comparisons }) => comparisons)),
    reasons: [
      `Runs ${queries.length} queries, up to ${parallel.concurrency} at once; rows come ${how}.`,
      ...new Set(queries.flatMap(({ reasons }) => reasons)),
    ],
    ...(warnings.size > 0 && { warnings: [...warnings] }),
    queries,
  }
}
