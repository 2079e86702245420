import { compareKeys, type EntityKey } from '../entity/entity-key.ts'
import { evaluateFilter, type TypedValue } from './evaluate-filter.ts'
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
  for (const { property, operator, literal } of comparisonsIn(node)) {
    const isKey = property === 'PartitionKey' || property === 'RowKey'
    if (isKey && typeof literal.value === 'string')
      narrow(bounds[property], operator, literal.value)
  }
  return { partitionKey: toInterval(bounds.PartitionKey), rowKey: toInterval(bounds.RowKey) }
}

function comparisonsIn(node: FilterNode | undefined): readonly ComparisonNode[] {
  if (node?.kind === 'comparison') return [node]
  if (node?.kind === 'raw') return comparisonsIn(node.meaning)
  return node?.kind === 'and' ? node.operands.flatMap(comparisonsIn) : []
}

function unbounded(): Bounds {
  return { lowInclusive: true, highInclusive: true }
}

function narrow(bounds: Bounds, operator: ComparisonNode['operator'], value: string): void {
  if (operator === 'eq' || operator === 'ge') tighten(bounds, 'low', value, true)
  if (operator === 'gt') tighten(bounds, 'low', value, false)
  if (operator === 'eq' || operator === 'le') tighten(bounds, 'high', value, true)
  if (operator === 'lt') tighten(bounds, 'high', value, false)
}

/** Moves one end of the bounds inwards; of two equal ends, the one that excludes the value counts. */
function tighten(bounds: Bounds, end: 'low' | 'high', value: string, inclusive: boolean): void {
  const flag = `${end}Inclusive` as const
  const before = bounds[end]
  if (value === before) bounds[flag] &&= inclusive
  if (before !== undefined && (end === 'low' ? value <= before : value >= before)) return
  bounds[end] = value
  bounds[flag] = inclusive
}

function toInterval(bounds: Bounds): Interval {
  const { low, lowInclusive, high, highInclusive } = bounds
  const isBounded = low !== undefined && high !== undefined
  const isPoint = isBounded && low === high && lowInclusive && highInclusive
  const empty = isBounded && !isPoint && low >= high
  return Object.freeze(isPoint ? { ...bounds, exact: low, empty } : { ...bounds, empty })
}

/** More keys than this do not come from a list, but from a product of lists. */
const MAX_KEYS = 10_000

/**
 * Lists the entities that a filter names by their whole keys, when it uses only keys. Each of them can be
 * read by its key. For an `or`, the service would scan a partition or the table.
 *
 * Other conditions on the keys exclude those of the entities that do not meet them.
 *
 * @param node - the tree; `undefined`, without a filter, names no entity
 * @returns each key once, in the order of PartitionKey and RowKey, and an empty list for a filter that
 * contradicts itself; `undefined` when the filter uses other properties, or leaves a key open. The keys are
 * as in the filter, and not checked against the rules of the service
 *
 * @example
 * ```ts
 * pointReadsOf(parseFilter("PartitionKey eq 'Smith' and (RowKey eq 'Jeff' or RowKey eq 'Ann')"))
 * // [{ partitionKey: 'Smith', rowKey: 'Ann' }, { partitionKey: 'Smith', rowKey: 'Jeff' }]
 * ```
 */
export function pointReadsOf(node: FilterNode | undefined): readonly EntityKey[] | undefined {
  const keys = node && alternativesOf(node)
  if (keys === undefined || !keys.every(isWhole)) return undefined
  return Object.freeze(keys.toSorted(compareKeys).filter(isFirst))
}

/** The part of a key that one alternative of an `or` fixes. */
type KnownKey = Partial<EntityKey>

function alternativesOf(node: FilterNode): readonly KnownKey[] | undefined {
  switch (node.kind) {
    case 'comparison':
      return keyOf(node)
    case 'or':
      return joined(node.operands)
    case 'and':
      return crossed(node.operands)
    case 'constant':
      return node.value ? undefined : []
    default:
      return undefined
  }
}

function keyOf({ property, operator, literal }: ComparisonNode): KnownKey[] | undefined {
  const half = halfOf(property)
  const { value } = literal
  if (half === undefined || operator !== 'eq' || typeof value !== 'string') return undefined
  return [{ [half]: value }]
}

function halfOf(property: string): keyof EntityKey | undefined {
  if (property === 'PartitionKey') return 'partitionKey'
  return property === 'RowKey' ? 'rowKey' : undefined
}

function joined(operands: readonly FilterNode[]): readonly KnownKey[] | undefined {
  const all: KnownKey[] = []
  for (const operand of operands) {
    const some = alternativesOf(operand)
    if (some === undefined || all.length + some.length > MAX_KEYS) return undefined
    all.push(...some)
  }
  return all
}

function crossed(operands: readonly FilterNode[]): readonly KnownKey[] | undefined {
  let known: readonly KnownKey[] = [{}]
  const tests: FilterNode[] = []
  for (const operand of operands) {
    const more = alternativesOf(operand)
    if (more === undefined) {
      tests.push(operand)
      continue
    }
    if (known.length * more.length > MAX_KEYS) return undefined
    known = known.flatMap((left) => more.flatMap((right) => merged(left, right)))
  }
  return tested(known, tests)
}

/** Returns the keys that meet conditions which fix no key but use only keys. */
function tested(
  known: readonly KnownKey[],
  conditions: readonly FilterNode[],
): readonly KnownKey[] | undefined {
  if (conditions.length === 0 || known.length === 0) return known
  const test: FilterNode = { kind: 'and', operands: conditions }
  if (!known.every(isWhole) || !conditions.every(isOfKeys)) return undefined
  return known.filter((key) => evaluateFilter(test, (name) => keyValue(key, name)))
}

/** Tells whether a condition uses only keys. */
function isOfKeys(node: FilterNode): boolean {
  switch (node.kind) {
    case 'comparison':
      return halfOf(node.property) !== undefined
    case 'constant':
      return true
    case 'not':
      return isOfKeys(node.operand)
    case 'and':
    case 'or':
      return node.operands.every(isOfKeys)
    default:
      return false
  }
}

function keyValue(key: EntityKey, name: string): TypedValue | undefined {
  const half = halfOf(name)
  return half && { type: 'String', value: key[half] }
}

/** Merges two keys; the result is empty when they contradict each other. */
function merged(left: KnownKey, right: KnownKey): KnownKey[] {
  const both = { ...left, ...right }
  const agree = (half: keyof EntityKey) => left[half] === undefined || left[half] === both[half]
  return agree('partitionKey') && agree('rowKey') ? [both] : []
}

function isWhole(key: KnownKey): key is EntityKey {
  return key.partitionKey !== undefined && key.rowKey !== undefined
}

function isFirst(key: EntityKey, at: number, sorted: readonly EntityKey[]): boolean {
  const before = sorted[at - 1]
  return before === undefined || compareKeys(before, key) !== 0
}
