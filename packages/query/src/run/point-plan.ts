import type { EntityKey } from '@rowkey/odata'
import type { QueryNode } from '../query-node.ts'
import { planQuery, type QueryPlan } from '../query-plan.ts'
import { DEFAULT_CONCURRENCY } from './results-in-order.ts'

/** The plan of a query that is answered by reading entities by their keys. */
export function pointPlan(node: QueryNode, keys: readonly EntityKey[]): QueryPlan {
  // No page is asked for, and what the service thinks of the filter does not matter.
  const { top: _top, warnings: _warnings, ...plan } = planQuery(node)
  const reason = `Reads ${keys.length} entities by their keys, up to ${DEFAULT_CONCURRENCY} at once; by pages, it is one query with the plan ${plan.plan}.`
  return { ...plan, plan: 'point', reasons: [reason], pointReads: keys }
}
