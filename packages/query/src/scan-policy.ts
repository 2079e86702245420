import { QueryError } from './errors/query-error.ts'
import type { PlanClass } from './plan-class.ts'

/**
 * The dearest {@link PlanClass} that queries may have without asking for leave:
 *
 * - `none`: points and ranges of RowKeys alone
 * - `partitionScan`: whole partitions too
 * - `tableRange`: partitions by a range of PartitionKeys too, the default
 * - `tableScan`: everything
 *
 * By default only what nobody bounded is refused. Whoever names a partition, or a range of them, has
 * thought of how much lies there; a query without any word on PartitionKey is more often a mistake
 * that shows only when the table has grown. Where partitions are large, `none` finds the queries
 * that should have a range of RowKeys.
 */
export type ScanPolicy = 'none' | 'partitionScan' | 'tableRange' | 'tableScan'

/** From strict to free. */
const SCAN_POLICIES: readonly ScanPolicy[] = ['none', 'partitionScan', 'tableRange', 'tableScan']

/** What holds for a query when nobody says anything. */
export const DEFAULT_SCAN_POLICY: ScanPolicy = 'tableRange'

/**
 * Refuses what is no {@link ScanPolicy}.
 *
 * @throws {@link QueryError} that lists the four
 */
export function checkScanPolicy(given: unknown): asserts given is ScanPolicy {
  const known: readonly unknown[] = SCAN_POLICIES
  if (known.includes(given)) return
  const shown = typeof given === 'string' ? `"${given}"` : `a value of type ${typeof given}`
  throw new QueryError({
    message: `${shown} is no rule for scans: say one of ${SCAN_POLICIES.join(', ')}.`,
  })
}

/** The freer of two policies: asking for leave never takes any away. */
export function freerPolicy(one: ScanPolicy, other: ScanPolicy): ScanPolicy {
  return rank(one) < rank(other) ? other : one
}

/** Whether a query of this class may run. */
export function allowsPlan(policy: ScanPolicy, plan: PlanClass): boolean {
  return plan === 'point' || plan === 'range' || rank(plan) <= rank(policy)
}

function rank(policy: ScanPolicy): number {
  return SCAN_POLICIES.indexOf(policy)
}
