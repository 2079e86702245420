import type { EntityKey, Interval, KeyBounds } from '@rowkey/odata'

/**
 * A range of the ordered key space: `low` inclusive, `high` exclusive. Both are store keys, see
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

/** Sorts before every character of a key, so that a shorter PartitionKey comes first. */
const SEPARATOR = '\u0000'
/** Sorts after the separator and before every character of a key: the end of a partition. */
const AFTER_SEPARATOR = '\u0001'

/** Prints a key as the store orders it: PartitionKey first, then RowKey. */
export function printStoreKey(partitionKey: string, rowKey: string): string {
  return partitionKey + SEPARATOR + rowKey
}

/** Returns the smallest range with every row that the bounds of a filter allow. */
export function rangeOf(bounds: KeyBounds): KeyRange {
  const { partitionKey, rowKey } = bounds
  if (partitionKey.exact !== undefined) return rowsOf(partitionKey.exact, rowKey)
  const low = partitionKey.low === undefined ? '' : lowEnd(partitionKey.low, partitionKey)
  return partitionKey.high === undefined
    ? { low }
    : { low, high: highEnd(partitionKey.high, partitionKey) }
}

/** Cuts a range so that it begins at `low` or later. */
export function rangeFrom(range: KeyRange, low: string): KeyRange {
  return low > range.low ? { ...range, low } : range
}

/** One end of a range: a row, a whole partition, or open. */
export interface KeyEnd {
  /** Open when absent. */
  readonly partitionKey: string | undefined
  /** The whole partition when absent. */
  readonly rowKey: string | undefined
}

/** Returns the rows from one end to the other, both inclusive. */
export function rangeBetween(first: KeyEnd, last: KeyEnd): KeyRange {
  const low = first.partitionKey === undefined ? '' : lowestOf(first.partitionKey, first.rowKey)
  return last.partitionKey === undefined
    ? { low }
    : { low, high: pastHighestOf(last.partitionKey, last.rowKey) }
}

/** Returns the intersection of two ranges. */
export function intersection(a: KeyRange, b: KeyRange): KeyRange {
  const { low } = rangeFrom(a, b.low)
  if (a.high === undefined || b.high === undefined) return { low, high: a.high ?? b.high }
  return { low, high: a.high < b.high ? a.high : b.high }
}

/** Tells whether a row is in a range. */
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
    // The next row after `high` is one character longer.
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
 * Cuts a text that a filter compares with, and that cannot be a key, at the separator. Keys never
 * contain it, so the keys before `a\0…` are those up to and including `a`.
 */
function cutAtSeparator(text: string): { key: string; cut: boolean } {
  const at = text.indexOf(SEPARATOR)
  return at < 0 ? { key: text, cut: false } : { key: text.slice(0, at), cut: true }
}
