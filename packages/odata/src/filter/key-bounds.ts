import type { ComparisonNode, FilterNode } from './filter-node.ts'

/** The range of the values of one key that a filter can match, by UTF-16 units. */
export interface Interval {
  /** The lower bound; absent without a bound. */
  readonly low?: string
  /** Whether {@link low} itself can match; `true` without a bound. */
  readonly lowInclusive: boolean
  /** The upper bound; absent without a bound. */
  readonly high?: string
  /** Whether {@link high} itself can match; `true` without a bound. */
  readonly highInclusive: boolean
  /** The only value that can match, when there is exactly one. */
  readonly exact?: string
  /** Whether the bounds contradict each other, so that nothing can match. */
  readonly empty: boolean
}

/** How a filter bounds PartitionKey and RowKey. */
export interface KeyBounds {
  /** The range of PartitionKeys. */
  readonly partitionKey: Interval
  /** The range of RowKeys. */
  readonly rowKey: Interval
}

interface Bounds {
  low?: string
  lowInclusive: boolean
  high?: string
  highInclusive: boolean
}

/**
 * Finds the bounds of the keys that a filter can match: the partitions and rows that a query has to read.
 * Only comparisons that must all hold count; a key under `or`, `not` or `ne` bounds nothing.
 *
 * @param node - the tree; `undefined`, without a filter, bounds nothing
 *
 * @example
 * ```ts
 * keyBounds(parseFilter("PartitionKey eq 'Smith' and RowKey ge 'J'")).partitionKey.exact // 'Smith'
 * ```
 */
export function keyBounds(node: FilterNode | undefined): KeyBounds {
  const bounds = { PartitionKey: unbounded(), RowKey: unbounded() }
  for (const { property, operator, literal } of conjunctsOf(node)) {
    const isKey = property === 'PartitionKey' || property === 'RowKey'
    if (isKey && typeof literal.value === 'string')
      narrow(bounds[property], operator, literal.value)
  }
  return { partitionKey: toInterval(bounds.PartitionKey), rowKey: toInterval(bounds.RowKey) }
}

function conjunctsOf(node: FilterNode | undefined): readonly ComparisonNode[] {
  if (node?.kind === 'comparison') return [node]
  if (node?.kind === 'raw') return conjunctsOf(node.meaning)
  return node?.kind === 'and' ? node.operands.flatMap(conjunctsOf) : []
}

function unbounded(): Bounds {
  return { lowInclusive: true, highInclusive: true }
}

function narrow(bounds: Bounds, operator: ComparisonNode['operator'], value: string): void {
  if (operator === 'eq' || operator === 'ge') raiseLow(bounds, value, true)
  if (operator === 'gt') raiseLow(bounds, value, false)
  if (operator === 'eq' || operator === 'le') lowerHigh(bounds, value, true)
  if (operator === 'lt') lowerHigh(bounds, value, false)
}

function raiseLow(bounds: Bounds, value: string, inclusive: boolean): void {
  const { low } = bounds
  bounds.lowInclusive = value === low ? bounds.lowInclusive && inclusive : bounds.lowInclusive
  if (low !== undefined && value <= low) return
  bounds.low = value
  bounds.lowInclusive = inclusive
}

function lowerHigh(bounds: Bounds, value: string, inclusive: boolean): void {
  const { high } = bounds
  bounds.highInclusive = value === high ? bounds.highInclusive && inclusive : bounds.highInclusive
  if (high !== undefined && value >= high) return
  bounds.high = value
  bounds.highInclusive = inclusive
}

function toInterval(bounds: Bounds): Interval {
  const { low, lowInclusive, high, highInclusive } = bounds
  const isBounded = low !== undefined && high !== undefined
  const isPoint = isBounded && low === high && lowInclusive && highInclusive
  const empty = isBounded && !isPoint && low >= high
  return Object.freeze(isPoint ? { ...bounds, exact: low, empty } : { ...bounds, empty })
}
