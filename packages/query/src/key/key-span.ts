import {
  and,
  type ComparisonNode,
  type ComparisonOperator,
  comparison,
  constant,
  type FilterNode,
  literalOf,
} from '@rowkey/odata'
import { prefixEnd } from '../condition/prefix-end.ts'
import type { KeyPart, KeyTemplate } from '../model/query-model.ts'

/** A range of keys, in the order of their UTF-16 units. */
export interface KeySpan {
  /** The lower bound; the empty text bounds nothing. */
  readonly low: string
  /** Whether {@link KeySpan.low} itself is in the range. */
  readonly lowInclusive: boolean
  /** The upper bound; `undefined` without one. */
  readonly high: string | undefined
  /** Whether {@link KeySpan.high} itself is in the range. */
  readonly highInclusive: boolean
}

/** The range of every key. */
export const everyKey: KeySpan = Object.freeze({
  low: '',
  lowInclusive: true,
  high: undefined,
  highInclusive: true,
})

/** Returns the range of one key. */
export function exactly(key: string): KeySpan {
  return { low: key, lowInclusive: true, high: key, highInclusive: true }
}

/** Returns the range of the keys that begin with a text. */
export function startingWith(prefix: string): KeySpan {
  return { low: prefix, lowInclusive: true, high: prefixEnd(prefix), highInclusive: false }
}

/** Returns the range of the keys that are in both of two ranges. */
export function overlapOf(one: KeySpan, other: KeySpan): KeySpan {
  return { ...higherLow(one, other), ...lowerHigh(one, other) }
}

/** Makes the filter that the keys of a range match. */
export function spanFilter(
  property: 'PartitionKey' | 'RowKey',
  { low, lowInclusive, high, highInclusive }: KeySpan,
): FilterNode {
  const bound = (operator: 'eq' | 'gt' | 'ge' | 'lt' | 'le', key: string) =>
    comparison(property, operator, literalOf(key, 'String'))
  if (low === high && lowInclusive && highInclusive) return bound('eq', low)
  const bounds: FilterNode[] = []
  if (low !== '' || !lowInclusive) bounds.push(bound(lowInclusive ? 'ge' : 'gt', low))
  if (high !== undefined) bounds.push(bound(highInclusive ? 'le' : 'lt', high))
  return bounds.length > 0 ? and(...bounds) : constant(true)
}

function higherLow(one: KeySpan, other: KeySpan): Pick<KeySpan, 'low' | 'lowInclusive'> {
  if (one.low === other.low) {
    return { low: one.low, lowInclusive: one.lowInclusive && other.lowInclusive }
  }
  const { low, lowInclusive } = one.low > other.low ? one : other
  return { low, lowInclusive }
}

function lowerHigh(one: KeySpan, other: KeySpan): Pick<KeySpan, 'high' | 'highInclusive'> {
  if (one.high === other.high) {
    return { high: one.high, highInclusive: one.highInclusive && other.highInclusive }
  }
  const isOne = other.high === undefined || (one.high !== undefined && one.high < other.high)
  const { high, highInclusive } = isOne ? one : other
  return { high, highInclusive }
}

/** A test of a part of a key: a comparison, or whether its text begins with another. */
export interface PartTest {
  /** The part, by the name that filters use. */
  readonly property: string
  /** What is tested; `ne` is tested as the opposite of `eq`. */
  readonly operator: Exclude<ComparisonOperator, 'ne'> | 'startsWith'
  /** The value, or the text it begins with. */
  readonly value: unknown
}

/** Why a range of keys cannot express the test of a part. */
export type PartObstacle =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly earlier: string }
  | { readonly kind: 'unordered' }

/**
 * Finds the range of keys that passes the test of one part, or tells why it has no range.
 *
 * @param template - what the key consists of
 * @param known - the values of the parts that other conditions fix
 * @param test - the test
 */
export function partSpan(
  template: KeyTemplate,
  known: ReadonlyMap<string, unknown>,
  test: PartTest,
): KeySpan | PartObstacle {
  let prefix = ''
  for (const [index, segment] of template.segments.entries()) {
    if (typeof segment === 'string') {
      prefix += segment
    } else if (segment.property === test.property) {
      return spanAfter(prefix, segment, template.segments.slice(index + 1), test)
    } else if (!known.has(segment.property)) {
      return {
        kind: hasPart(template, test.property) ? 'unknown' : 'absent',
        earlier: segment.property,
      }
    } else {
      prefix += segment.print(known.get(segment.property))
    }
  }
  return { kind: 'absent' }
}

/** Tells whether a test has a range of keys. */
export function isSpan(found: KeySpan | PartObstacle): found is KeySpan {
  return !('kind' in found)
}

function hasPart({ segments }: KeyTemplate, property: string): boolean {
  return segments.some((segment) => typeof segment === 'object' && segment.property === property)
}

function spanAfter(
  prefix: string,
  part: KeyPart,
  rest: KeyTemplate['segments'],
  { operator, value }: PartTest,
): KeySpan | PartObstacle {
  if (operator === 'startsWith') {
    return part.prefixes ? startingWith(prefix + part.print(value)) : { kind: 'unordered' }
  }
  if (operator === 'eq') {
    const [next, more] = rest
    const text = prefix + part.print(value) + (typeof next === 'string' ? next : '')
    const isWhole = next === undefined || (typeof next === 'string' && more === undefined)
    return isWhole ? exactly(text) : startingWith(text)
  }
  // A shorter text sorts by what follows it, which belongs to another part.
  const isComparable = rest.length === 0 || part.fixedLength !== undefined
  if (part.order === undefined || !isComparable) return { kind: 'unordered' }
  const inOrder = part.order === 'descending' ? FLIPPED[operator] : operator
  const bound = boundAt(prefix + part.print(value), inOrder, rest.length === 0)
  return overlapOf(startingWith(prefix), bound)
}

const FLIPPED = { gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' } as const

/** The keys from a text on, or up to it. Keys that begin with the text count as equal to it. */
function boundAt(text: string, operator: 'gt' | 'ge' | 'lt' | 'le', isWhole: boolean): KeySpan {
  switch (operator) {
    case 'ge':
      return { ...everyKey, low: text }
    case 'lt':
      return { ...everyKey, high: text, highInclusive: false }
    case 'gt':
      return isWhole
        ? { ...everyKey, low: text, lowInclusive: false }
        : { ...everyKey, low: prefixEnd(text) ?? text }
    case 'le':
      return isWhole
        ? { ...everyKey, high: text }
        : { ...everyKey, high: prefixEnd(text), highInclusive: false }
  }
}

/** A comparison with a part of a key; `ne` is tested as the opposite of `eq`. */
type PartComparison = ComparisonNode & { readonly operator: Exclude<ComparisonOperator, 'ne'> }

/** A test of a part of a key, and the comparisons that it comes from. */
export interface AskedPart {
  /** The test. */
  readonly test: PartTest
  /** The comparisons that the test replaces. */
  readonly asked: readonly ComparisonNode[]
}

/**
 * Finds the tests of parts among conditions that must all hold. `ge` a text and `lt` the end of that
 * prefix are one test: that is how `startsWith` is written.
 *
 * @param conditions - the conditions
 * @param partOf - finds the part of a key that a property is, if it is one
 */
export function partTests(
  conditions: readonly FilterNode[],
  partOf: (property: string) => KeyPart | undefined,
): AskedPart[] {
  const comparisons = conditions.filter(
    (node): node is PartComparison =>
      node.kind === 'comparison' && node.operator !== 'ne' && partOf(node.property) !== undefined,
  )
  const prefixes = new Map(
    comparisons
      .filter(({ property }) => mayBePrefix(partOf(property)))
      .map((node) => [node, prefixEndOf(node, comparisons)]),
  )
  const ends = new Set(prefixes.values())
  return comparisons
    .filter((node) => !ends.has(node))
    .map((node) => toAsked(node, prefixes.get(node)))
}

function toAsked(node: PartComparison, end: ComparisonNode | undefined): AskedPart {
  const { property, literal } = node
  const operator = end === undefined ? node.operator : 'startsWith'
  return {
    test: { property, operator, value: literal.value },
    asked: end === undefined ? [node] : [node, end],
  }
}

/** The comparison that makes `ge` the test of a prefix. */
function prefixEndOf(
  { property, operator, literal: { value } }: ComparisonNode,
  comparisons: readonly ComparisonNode[],
): ComparisonNode | undefined {
  if (operator !== 'ge' || typeof value !== 'string') return undefined
  const end = prefixEnd(value)
  return comparisons.find(
    (other) =>
      other.property === property && other.operator === 'lt' && other.literal.value === end,
  )
}

/** An ordered part that keeps no prefixes, such as a Guid, is tested for each bound by itself. */
function mayBePrefix(part: KeyPart | undefined): boolean {
  return part?.order === undefined || part.prefixes === true
}
