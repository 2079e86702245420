import type { DynamicEntity } from '@rowkey/odata'

/** Where a row belongs. */
export interface RowPlace {
  /** The same text for all rows of one entity. */
  readonly id: string
  /** The highest RowKey that a row of the entity can have. */
  readonly last: string
}

/** A row, and where it belongs. */
interface PlacedRow<Place extends RowPlace> {
  readonly row: DynamicEntity
  readonly place: Place
}

/**
 * Collects the rows of each entity. The rows of several entities may be mixed: `a_01`, `a_01_01`, `a_02`.
 *
 * @param rows - the rows of one partition, in the order of RowKey
 * @param placeOf - the place of a row; `undefined` for a row of another kind
 * @returns the rows of one entity after another, in the order of their first rows
 */
export async function* groupRows<Place extends RowPlace>(
  rows: AsyncIterable<DynamicEntity>,
  placeOf: (row: DynamicEntity) => Place | undefined,
): AsyncGenerator<readonly PlacedRow<Place>[], void, undefined> {
  const open = new Map<string, PlacedRow<Place>[]>()
  for await (const row of rows) {
    for (const [id, group] of open) {
      const isWhole = group.every(({ place }) => place.last < row.rowKey)
      if (!isWhole) break
      open.delete(id)
      yield group
    }
    const place = placeOf(row)
    if (place !== undefined) open.set(place.id, [...(open.get(place.id) ?? []), { row, place }])
  }
  yield* open.values()
}
