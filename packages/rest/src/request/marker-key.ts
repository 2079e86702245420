/** RowKeys that begin like this belong to the markers of exact writes. */
const MARKER_START = '~rk~op~'

/** Greater than every marker's RowKey, and less than any other that does not begin like it. */
const AFTER_MARKERS = '~rk~oq'

/** The `$filter` of the rows that are markers. */
export const MARKER_FILTER: string = `RowKey ge '${MARKER_START}' and RowKey lt '${AFTER_MARKERS}'`

/**
 * Returns the RowKey of a marker.
 *
 * @param id - the id of the write
 */
export function markerKey(id: string): string {
  return MARKER_START + id
}

/**
 * Tells whether a row is the marker of an exact write, which queries do not show.
 *
 * @param rowKey - the row's RowKey; absent from some projections
 */
export function isMarkerKey(rowKey: unknown): boolean {
  return typeof rowKey === 'string' && rowKey.startsWith(MARKER_START)
}
