import type { EntityKey, Interval, KeyBounds } from '@rowkey/odata'

/**
 * A stretch of the ordered key space: `low` included, `high` not. Both are store keys, see
 * {@link printStoreKey}.
 */
export interface KeyRange {
  /** Empty for the beginning of the table. */
  readonly low: string
  /** No upper end when absent. */
  readonly high?: string | undefined
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

/** One end of a stretch of the key space: a row, a whole partition, or none. */
export interface KeyEnd {
  /** No end when absent. */
  readonly partitionKey: string | undefined
  /** The whole partition when absent. */
  readonly rowKey: string | undefined
}

/** The rows from one end to another, both included. */
export function rangeBetween(first: KeyEnd, last: KeyEnd): KeyRange {
  const low = first.partitionKey === undefined ? '' : lowestOf(first.partitionKey, first.rowKey)
  return last.partitionKey === undefined
    ? { low }
    : { low, high: pastHighestOf(last.partitionKey, last.rowKey) }
}

/** What two ranges have in common. */
export function intersection(a: KeyRange, b: KeyRange): KeyRange {
  const { low } = rangeFrom(a, b.low)
  if (a.high === undefined || b.high === undefined) return { low, high: a.high ?? b.high }
  return { low, high: a.high < b.high ? a.high : b.high }
}

/** Whether a row is in a range. */
export function holdsKey({ low, high }: KeyRange, key: EntityKey): boolean {
  if (low === '' && high === undefined) return true
  const at = printStoreKey(key.partitionKey, key.rowKey)
  return at >= low && (high === undefined || at < high)
}

function lowestOf(partitionKey: string, rowKey = ''): string {
  const { key, cut } = cutAtSeparator(partitionKey)
  return cut ? key + AFTER_SEPARATOR : printStoreKey(key, rowKey)
}

function pastHighestOf(partitionKey: string, rowKey: string | undefined): string {
  const { key, cut } = cutAtSeparator(partitionKey)
  return cut || rowKey === undefined
    ? key + AFTER_SEPARATOR
    : printStoreKey(key, rowKey) + SEPARATOR
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
