import { invalidQuery } from '../errors/invalid-query.ts'
import type { PlanClass } from './filter-plan.ts'

/**
 * The most expensive {@link PlanClass} that queries may have without an opt-in:
 *
 * - `none`: only points and ranges of RowKeys
 * - `partitionScan`: also whole partitions
 * - `tableRange`: also ranges of PartitionKeys, the default
 * - `tableScan`: everything
 *
 * The default rejects only queries that do not bound PartitionKey: more often than not they are a
 * mistake, which shows only when the table has grown. Where partitions are large, `none` finds the queries
 * that should have a range of RowKeys.
 */
export type ScanPolicy = 'none' | 'partitionScan' | 'tableRange' | 'tableScan'

/** From strict to free. */
const SCAN_POLICIES: readonly ScanPolicy[] = ['none', 'partitionScan', 'tableRange', 'tableScan']

/** The policy of a query without a setting. */
export const DEFAULT_SCAN_POLICY: ScanPolicy = 'tableRange'

/**
 * Rejects an invalid {@link ScanPolicy}.
 *
 * @throws InputError with the code `InvalidQuery` that lists the four policies
 */
export function checkScanPolicy(given: unknown): asserts given is ScanPolicy {
  const known: readonly unknown[] = SCAN_POLICIES
  if (known.includes(given)) return
  const shown = typeof given === 'string' ? `"${given}"` : `a value of type ${typeof given}`
  throw invalidQuery(`scans must be one of ${SCAN_POLICIES.join(', ')}; got ${shown}.`)
}

/** Returns the freer of two policies: an opt-in never takes anything away. */
export function freerPolicy(one: ScanPolicy, other: ScanPolicy): ScanPolicy {
  return rank(one) < rank(other) ? other : one
}

/** Tells whether a query of this class may run. */
export function allowsPlan(policy: ScanPolicy, plan: PlanClass): boolean {
  return plan === 'point' || plan === 'range' || rank(plan) <= rank(policy)
}

function rank(policy: ScanPolicy): number {
  return SCAN_POLICIES.indexOf(policy)
}
