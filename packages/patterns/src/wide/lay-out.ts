import { DynamicEntity, type EntityProperty } from '@rowkey/odata'

/** The most properties of one row. */
const MAX_PROPERTIES = 252
/** The bytes that one row may have: 1 MiB, less some room for what a later merge adds. */
const MAX_BYTES = 1_000_000
/** The rows of one entity are numbered with two digits. */
const MAX_ROWS = 99

/** Bytes that the service counts for a value of fixed size. */
const FIXED_BYTES = { Boolean: 1, DateTime: 8, Double: 8, Guid: 16, Int32: 4, Int64: 8 } as const

/** One row that is being filled. */
interface OpenRow {
  readonly row: DynamicEntity
  bytes: number
}

/**
 * Distributes the properties of an entity over rows with the RowKey suffixes `_01`, `_02` and so on. A property stays in the
 * row that has it, as long as it fits; any other goes to the first row with room.
 *
 * @param entity - the whole entity
 * @param placed - the RowKey that each stored property is in now
 * @returns the rows in their order; `undefined` when 99 rows are not enough
 */
export function layOut(
  entity: DynamicEntity,
  placed: ReadonlyMap<string, string>,
): readonly DynamicEntity[] | undefined {
  const open = new Map<string, OpenRow>()
  const rowAt = (rowKey: string): OpenRow => {
    const known = open.get(rowKey)
    if (known !== undefined) return known
    const bytes = 4 + 2 * (entity.partitionKey.length + rowKey.length)
    const made = { row: new DynamicEntity(entity.partitionKey, rowKey), bytes }
    open.set(rowKey, made)
    return made
  }
  rowAt(suffixed(entity.rowKey, 1)) // an entity without properties has a row, too
  const homeless: (readonly [string, EntityProperty])[] = []
  for (const [name, property] of entity.properties) {
    const home = placed.get(name)
    if (home === undefined || !put(rowAt(home), name, property)) homeless.push([name, property])
  }
  for (const [name, property] of homeless) {
    let at = 1
    while (at <= MAX_ROWS && !put(rowAt(suffixed(entity.rowKey, at)), name, property)) at++
    if (at > MAX_ROWS) return undefined
  }
  const rows = [...open.values()].map(({ row }) => row)
  const [first] = rows
  return rows.filter((row) => row === first || row.properties.size > 0)
}

/** Returns the RowKey of one row: `223_01`. */
export function suffixed(rowKey: string, at: number): string {
  return `${rowKey}_${String(at).padStart(2, '0')}`
}

function put(open: OpenRow, name: string, property: EntityProperty): boolean {
  const bytes = 8 + 2 * name.length + bytesOf(property)
  if (open.row.properties.size >= MAX_PROPERTIES || open.bytes + bytes > MAX_BYTES) return false
  open.row.properties.set(name, property)
  open.bytes += bytes
  return true
}

function bytesOf({ type, value }: EntityProperty): number {
  if (typeof value === 'string' && type === 'String') return 4 + 2 * value.length
  if (value instanceof Uint8Array) return 4 + value.byteLength
  return type === 'String' || type === 'Binary' ? 4 : FIXED_BYTES[type]
}
