import {
  countComparisons,
  type FilterNode,
  type FilterUse,
  type Interval,
  keyBounds,
  MAX_COMPARISONS,
  oneOf,
  pointReadsOf,
  type Rule,
  usesIn,
} from '@rowkey/odata'

/**
 * What the service must read for a query, from cheap to expensive:
 *
 * - `point`: one entity, since the filter names both keys; or none, since no row can match
 * - `range`: a range of RowKeys in one partition
 * - `partitionScan`: one whole partition
 * - `tableRange`: every partition in a range of PartitionKeys
 * - `tableScan`: the whole table, since nothing bounds PartitionKey
 *
 * Only conditions that every entity must meet count: a key under `or`, `not` or `ne` bounds nothing, so an
 * `or` over RowKeys is a partition scan.
 */
export type PlanClass = 'point' | 'range' | 'partitionScan' | 'tableRange' | 'tableScan'

/** The cost of a filter. */
export interface FilterPlan {
  /** The rows that the service reads. */
  plan: PlanClass
  /** How many comparisons the filter has; the service documents 15 as its limit. */
  comparisons: number
  /** Why, in words, with the cheaper way where there is one. */
  reasons: readonly string[]
  /**
   * Warnings of a rejection by the service or of a long run, in words; absent without a warning.
   */
  warnings?: readonly string[]
}

/**
 * Returns the cost of a filter, also of one that was parsed from text. Only its conditions on
 * PartitionKey and
 * RowKey count.
 *
 * @param filter - the tree; `undefined` without a filter
 *
 * @example
 * ```ts
 * planOf(parseFilter("PartitionKey eq 'Smith' and (RowKey eq 'Ann' or RowKey eq 'Jeff')")).plan
 * // 'partitionScan'; its reasons say that two reads by key cost less
 * ```
 */
export function planOf(filter: FilterNode | undefined): FilterPlan {
  const comparisons = filter === undefined ? 0 : countComparisons(filter)
  const planClass = planClassOf(filter)
  const plan = { plan: planClass, comparisons, reasons: [...reasonsOf(filter, planClass)] }
  if (comparisons <= MAX_COMPARISONS) return plan
  // A warning and no error: the service documents the limit, and often takes more.
  const warning = `The filter has ${comparisons} comparisons, and the service guarantees only ${MAX_COMPARISONS}. Split the query, or use a range of keys.`
  return { ...plan, warnings: [warning] }
}

/** Returns the plan of a filter; without one, the service reads the whole table. */
export function planClassOf(filter: FilterNode | undefined): PlanClass {
  if (matchesNothing(filter)) return 'point'
  const { partitionKey, rowKey } = keyBounds(filter)
  if (partitionKey.exact === undefined) return bounds(partitionKey) ? 'tableRange' : 'tableScan'
  if (rowKey.exact !== undefined) return 'point'
  return bounds(rowKey) ? 'range' : 'partitionScan'
}

/** Tells whether no row can match, so that nothing needs to be sent. */
export function matchesNothing(filter: FilterNode | undefined): boolean {
  return pointReadsOf(filter)?.length === 0
}

/** Tells whether an interval leaves anything out. Every key is at or above the empty key. */
function bounds({ low, lowInclusive, high }: Interval): boolean {
  return high !== undefined || (low !== undefined && (low !== '' || !lowInclusive))
}

type KeyName = 'PartitionKey' | 'RowKey'

/** What a condition on a key is under, so that it bounds nothing. */
type KeyUse = NonNullable<FilterUse['under']>

const READS: { readonly [Plan in PlanClass]: string } = {
  point: 'Reads one entity: PartitionKey and RowKey are given.',
  range: 'Reads a range of RowKeys in one partition.',
  partitionScan:
    'Reads the whole partition, since nothing bounds RowKey. A range or a prefix of RowKeys would read less.',
  tableRange:
    'Reads every partition in a range of PartitionKeys. One query for each partition would read less.',
  tableScan: 'Reads the whole table, since nothing bounds PartitionKey. Name a partition.',
}

/** What to do in place of a condition that does not bound a key. */
const WAYS_OUT: { readonly [Key in KeyName]: { readonly [Under in KeyUse]: string } } = {
  PartitionKey: {
    or: 'query each partition by itself, as .inPartitions does',
    not: 'state what must be true instead',
    ne: 'it excludes only one partition',
  },
  RowKey: {
    or: 'read each entity by its key, as getMany does, or query each range by itself',
    not: 'state what must be true instead',
    ne: 'query the keys below and above it by themselves',
  },
}

/** Explains the cost of a filter, and names a cheaper way if one exists. */
function* reasonsOf(filter: FilterNode | undefined, plan: PlanClass): Generator<string> {
  if (matchesNothing(filter)) {
    yield NOTHING
    return
  }
  const { partitionKey, rowKey } = keyBounds(filter)
  yield READS[plan]
  if (partitionKey.empty) yield contradiction('PartitionKey')
  if (rowKey.empty) yield contradiction('RowKey')
  if (plan === 'point' || plan === 'range') return
  const uses = [...usesIn(filter)]
  const wanted: KeyName = plan === 'partitionScan' ? 'RowKey' : 'PartitionKey'
  for (const under of new Set(
    uses.map((use) => (use.test?.property === wanted ? use.under : undefined)),
  )) {
    if (under === undefined) continue
    yield `\`${under}\` does not bound ${wanted}: ${WAYS_OUT[wanted][under]}.`
  }
  if (plan !== 'partitionScan' && (rowKey.low ?? rowKey.high) !== undefined) {
    yield 'A bound on RowKey helps only within one partition.'
  }
  const count = pointReadsOf(filter)?.length
  if (count)
    yield `The filter names ${count} entities by their whole keys: as many reads by key cost less.`
  const isKey = (name: string | undefined) => name === 'PartitionKey' || name === 'RowKey'
  if (!uses.every(({ test }) => isKey(test?.property))) yield ROW_BY_ROW
}

const NOTHING = 'No row can match, so nothing is sent.'

function contradiction(name: KeyName): string {
  return `The conditions on ${name} contradict each other, so no row matches.`
}

/** The reason of a filter with conditions on other properties than the keys. */
export const ROW_BY_ROW =
  'Only the keys are indexed: other conditions drop entities after the service has read them.'

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

/** Plans from cheap to expensive, and policies from strict to free: a policy allows its own plan and all before it. */
const ORDER = ['point', 'range', 'none', 'partitionScan', 'tableRange', 'tableScan'] as const

/** The policy of a query without a setting. */
export const DEFAULT_SCAN_POLICY: ScanPolicy = 'tableRange'

/**
 * The rule of a {@link ScanPolicy}, for `declareOptions`.
 *
 * @internal Rowkey's packages use it.
 */
export const scanPolicyRule: Rule = oneOf(...ORDER.slice(ORDER.indexOf('none')))

/** Returns the freer of two policies, since an opt-in never takes anything away, or the more expensive plan. */
export function freer<Allowed extends ScanPolicy | PlanClass>(
  one: Allowed,
  other: Allowed,
): Allowed {
  return ORDER.indexOf(one) < ORDER.indexOf(other) ? other : one
}

/** Tells whether a query of this class may run. */
export function allowsPlan(policy: ScanPolicy, plan: PlanClass): boolean {
  return ORDER.indexOf(plan) <= ORDER.indexOf(policy)
}
