import type { EntityKey } from '@rowkey/odata'
import type { QueryNode } from '../query-node.ts'
import { localWarning, planQuery, type QueryPlan } from '../query-plan.ts'
import { DEFAULT_CONCURRENCY } from './results-in-order.ts'

/** The plan of a query that is answered by reading entities by their keys. */
export function pointPlan(node: QueryNode, keys: readonly EntityKey[]): QueryPlan {
  // No page is asked for, and what the service thinks of the filter does not matter.
  const { top: _top, warnings: _warnings, ...plan } = planQuery(node)
  const reason = `${reads(keys.length)}; by pages, it is one query with the plan ${plan.plan}.`
  const warnings = localWarning(node)
  return {
    ...plan,
    plan: 'point',
    reasons: [reason],
    ...(warnings.length > 0 && { warnings }),
    pointReads: keys,
  }
}

function reads(count: number): string {
  if (count === 0) return 'Asks for nothing, since the conditions on the keys contradict each other'
  return count === 1
    ? 'Reads one entity by its key'
    : `Reads ${count} entities by their keys, up to ${DEFAULT_CONCURRENCY} at once`
}
