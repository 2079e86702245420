import { and, comparison, constant, type FilterNode, literalOf } from '@rowkey/odata'
import { prefixEnd } from '../condition/prefix-end.ts'

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
