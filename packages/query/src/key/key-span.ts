import { and, comparison, constant, type FilterNode, literalOf, prefixEnd } from '@rowkey/odata'

type Low = readonly [text: string, inclusive: boolean]
type High = readonly [text: string | undefined, inclusive: boolean]

/** A range of keys, in the order of their UTF-16 units. */
export class KeySpan {
  /** The range of every key. */
  static readonly all: KeySpan = new KeySpan(['', true], [undefined, true])

  readonly #low: Low
  readonly #high: High

  /**
   * @param low - the lower bound, and whether it is itself in the range; the empty text bounds nothing
   * @param high - the upper bound, and whether it is itself in the range; `undefined` bounds nothing
   */
  constructor(low: Low, high: High) {
    this.#low = low
    this.#high = high
  }

  /** Returns the range of one key. */
  static of(key: string): KeySpan {
    return new KeySpan([key, true], [key, true])
  }

  /** Returns the range of the keys that begin with a text. */
  static startingWith(prefix: string): KeySpan {
    return new KeySpan([prefix, true], [prefixEnd(prefix), false])
  }

  /**
   * Returns the range of the keys on one side of a text.
   *
   * @param operator - which side
   * @param text - the text
   * @param isWhole - whether the text is a whole key. Otherwise keys that begin with it count as equal to it
   */
  static beside(operator: 'gt' | 'ge' | 'lt' | 'le', text: string, isWhole: boolean): KeySpan {
    const isAfter = operator === 'gt' || operator === 'ge'
    const isInclusive = operator === 'ge' || operator === 'le'
    // What begins with the text is above `lt` and below `gt`.
    const end = isWhole || operator === 'ge' || operator === 'lt' ? undefined : prefixEnd(text)
    if (isAfter) return new KeySpan([end ?? text, isInclusive || !isWhole], [undefined, true])
    return new KeySpan(
      ['', true],
      isWhole || operator === 'lt' ? [text, isInclusive] : [end, false],
    )
  }

  /** Returns the range of the keys that are also in another range. */
  and(other: KeySpan): KeySpan {
    return new KeySpan(higherLow(this.#low, other.#low), lowerHigh(this.#high, other.#high))
  }

  /** Makes the filter that the keys of the range match. */
  filter(property: 'PartitionKey' | 'RowKey'): FilterNode {
    const [low, lowInclusive] = this.#low
    const [high, highInclusive] = this.#high
    const bound = (operator: 'eq' | 'gt' | 'ge' | 'lt' | 'le', key: string) =>
      comparison(property, operator, literalOf(key, 'String'))
    if (low === high && lowInclusive && highInclusive) return bound('eq', low)
    const bounds: FilterNode[] = []
    if (low !== '' || !lowInclusive) bounds.push(bound(lowInclusive ? 'ge' : 'gt', low))
    if (high !== undefined) bounds.push(bound(highInclusive ? 'le' : 'lt', high))
    return bounds.length > 0 ? and(...bounds) : constant(true)
  }
}

function higherLow(one: Low, other: Low): Low {
  if (one[0] === other[0]) return [one[0], one[1] && other[1]]
  return one[0] > other[0] ? one : other
}

function lowerHigh(one: High, other: High): High {
  const [high, inclusive] = one
  const [another, alsoInclusive] = other
  if (high === another) return [high, inclusive && alsoInclusive]
  return another === undefined || (high !== undefined && high < another) ? one : other
}
