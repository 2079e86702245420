import type { Interval, KeyBounds } from '@rowkey/odata'

/**
 * A stretch of the ordered key space: `low` included, `high` not. Both are store keys, see
 * {@link printStoreKey}.
 */
export interface KeyRange {
  readonly low: string
  /** No upper end when absent. */
  readonly high?: string
}

/** The whole table. */
export const EVERYTHING: KeyRange = { low: '' }

/** Sorts before every character that a key may hold, so a shorter PartitionKey comes first. */
const SEPARATOR = '\u0000'
/** Sorts after the separator and before every character of a key: just past a whole partition. */
const AFTER_SEPARATOR = '\u0001'

/** One key as the store orders it: PartitionKey first, then RowKey. */
export function printStoreKey(partitionKey: string, rowKey: string): string {
  return partitionKey + SEPARATOR + rowKey
}

/** The smallest stretch of the key space that holds every row a filter's bounds admit. */
export function rangeOf(bounds: KeyBounds): KeyRange {
  const { partitionKey, rowKey } = bounds
  if (partitionKey.exact !== undefined) return rowsOf(partitionKey.exact, rowKey)
  const low = partitionKey.low === undefined ? '' : lowEnd(partitionKey.low, partitionKey)
  return partitionKey.high === undefined
    ? { low }
    : { low, high: highEnd(partitionKey.high, partitionKey) }
}

/** The same range, beginning no earlier than `low`. */
export function rangeFrom(range: KeyRange, low: string): KeyRange {
  return low > range.low ? { ...range, low } : range
}

function rowsOf(partitionKey: string, rows: Interval): KeyRange {
  const low = rows.exact ?? rows.low ?? ''
  const high = rows.exact ?? rows.high
  return {
    low: printStoreKey(partitionKey, low),
    // The row that follows directly on `high` differs from it by one more of the least character.
    high:
      high === undefined
        ? partitionKey + AFTER_SEPARATOR
        : printStoreKey(partitionKey, high) + SEPARATOR,
  }
}

function lowEnd(text: string, interval: Interval): string {
  const { key, cut } = cutAtSeparator(text)
  return key + (interval.lowInclusive && !cut ? SEPARATOR : AFTER_SEPARATOR)
}

function highEnd(text: string, interval: Interval): string {
  const { key, cut } = cutAtSeparator(text)
  return key + (interval.highInclusive || cut ? AFTER_SEPARATOR : SEPARATOR)
}

/**
 * A filter may compare with text that no key can be. Keys never hold the separator, so what lies
 * before `a\0…` is what lies up to and including `a`, and what lies after it is what lies after `a`.
 */
function cutAtSeparator(text: string): { key: string; cut: boolean } {
  const at = text.indexOf(SEPARATOR)
  return at < 0 ? { key: text, cut: false } : { key: text.slice(0, at), cut: true }
}
