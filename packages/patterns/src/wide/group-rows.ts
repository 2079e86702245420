/** Where a row belongs. */
export interface RowPlace {
  readonly rowKey: string
  /** The same text for all rows of one group. */
  readonly id: string
  /** The highest RowKey that a row of the group can have. */
  readonly last: string
}

/** A row, and where it belongs. */
interface PlacedRow<Row, Place extends RowPlace> {
  readonly row: Row
  readonly place: Place
}

/**
 * Collects the rows of each group. The rows of several groups may be mixed: `a_01`, `a_01_01`, `a_02`.
 *
 * @param rows - the rows of one partition, in the order of RowKey
 * @param placeOf - the place of a row; `undefined` for a row of another kind
 * @returns the rows of one group after another, in the order of their first rows
 */
export async function* groupRows<Row, Place extends RowPlace>(
  rows: AsyncIterable<Row>,
  placeOf: (row: Row) => Place | undefined,
): AsyncGenerator<readonly PlacedRow<Row, Place>[], void, undefined> {
  const open = new Map<string, PlacedRow<Row, Place>[]>()
  for await (const row of rows) {
    const place = placeOf(row)
    if (place === undefined) continue
    for (const [id, group] of open) {
      if (group.some((each) => each.place.last >= place.rowKey)) break
      open.delete(id)
      yield group
    }
    open.set(place.id, [...(open.get(place.id) ?? []), { row, place }])
  }
  yield* open.values()
}
