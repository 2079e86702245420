import type { EntityModel, KeptTable, KeyCodec } from '@rowkey/mapper'
import {
  and,
  comparison,
  DecodeError,
  DynamicEntity,
  dynamicEntityCodec,
  type EntityKey,
  keyOfRaw,
  literalOf,
  type RawEntity,
} from '@rowkey/odata'
import { type CallOptions, type Change, deleteEntity, updateEntity } from '@rowkey/rest'
import { EntityGroups } from '../groups/entity-groups.ts'
import { insertKept } from '../rows/insert-kept.ts'
import { inPartition } from '../rows/row-filter.ts'
import { scanRows } from '../rows/scan-rows.ts'
import { etagOf } from '../rows/stored-row.ts'

/** One row of a list: up to 64 KiB of RowKeys. */
export interface ListRow {
  /** The number in its RowKey, from 0. */
  readonly at: number
  /** Its RowKey. */
  readonly rowKey: string
  /** The RowKeys of the entities. */
  readonly ids: readonly string[]
  readonly etag: string
}

/** The property with the RowKeys, as JSON text. */
const IDS = 'RowKeys'
/** The most UTF-16 units of that text: below the 32,768 of a String, so that the lists of a batch fit a transaction. */
const FULL = 30_000
/** The digits of the number of a row. */
const DIGITS = 3

/** One id list of a model: it reads and changes its rows. */
export class IdList {
  /** The groups of entities that share a value; each has a list. */
  readonly groups: EntityGroups

  /** @internal */
  constructor(name: string, model: EntityModel<object, object, object>, template: KeyCodec) {
    this.groups = new EntityGroups({
      kind: 'Id list',
      name,
      model,
      template,
      suffix: rowKeyOf('', 0),
    })
  }

  /** Reads the rows of one list, by one request for most lists. */
  async read(
    table: KeptTable,
    partitionKey: string,
    list: string,
    options: CallOptions,
  ): Promise<readonly ListRow[]> {
    const filter = and(
      inPartition(partitionKey),
      comparison('RowKey', 'ge', literalOf(rowKeyOf(list, 0), 'String')),
      comparison('RowKey', 'le', literalOf(rowKeyOf(list, 10 ** DIGITS - 1), 'String')),
    )
    const rows: ListRow[] = []
    for await (const raw of scanRows(table, filter, options)) {
      if (listOf(keyOfRaw(raw).rowKey) === list) rows.push(toListRow(raw))
    }
    return rows
  }
}

/** Returns the list that a row is of, without the number of the row; `undefined` for a row of another kind. */
export function listOf(rowKey: string): string | undefined {
  return /^(.*)_\d{3}$/s.exec(rowKey)?.[1]
}

/** What becomes of one list. */
interface ListChange {
  readonly table: string
  readonly partitionKey: string
  /** The list, without a number. */
  readonly list: string
  /** Its rows, as they are stored. */
  readonly rows: readonly ListRow[]
  readonly removed: ReadonlySet<string>
  readonly added: ReadonlySet<string>
}

/**
 * Makes the conditional writes that change a list. An id is added to the first row with room, and a new row is begun when all are
 * full. A row that loses its last id is deleted. When nothing is to be changed, the first row is written as it is, so
 * that its ETag shows that something happened.
 */
export function listChanges(change: ListChange): readonly Change[] {
  const { rows, removed, added } = change
  const kept = new Set(rows.flatMap(({ ids }) => ids.filter((id) => !removed.has(id))))
  const missing = [...added].filter((id) => !kept.has(id))
  const changes: Change[] = []
  for (const row of rows) {
    const before = row.ids.filter((id) => !removed.has(id))
    const ids = withRoom(before, missing)
    if (ids.length === row.ids.length && before.length === row.ids.length) continue
    changes.push(rowChange(change, row, ids))
  }
  const taken = new Set(rows.map(({ at }) => at))
  for (let at = 0; missing.length > 0; at++) {
    if (!taken.has(at)) changes.push(newRow(change, at, withRoom([], missing)))
  }
  const [first] = rows
  if (changes.length === 0 && first !== undefined) changes.push(rowChange(change, first, first.ids))
  return changes
}

/** Moves ids from a queue to a list, until the list is full. */
function withRoom(ids: readonly string[], missing: string[]): readonly string[] {
  const all = [...ids]
  let length = JSON.stringify(all).length
  for (;;) {
    const [next] = missing
    const more = next === undefined ? 0 : JSON.stringify(next).length + 1
    if (next === undefined || (all.length > 0 && length + more > FULL)) return all
    all.push(next)
    missing.shift()
    length += more
  }
}

function rowChange(
  { table, partitionKey }: ListChange,
  { rowKey, etag }: ListRow,
  ids: readonly string[],
): Change {
  const key = { partitionKey, rowKey }
  if (ids.length === 0) return { operation: deleteEntity, input: { table, key, body: '', etag } }
  return { operation: updateEntity, input: { table, key, body: bodyOf(key, ids), etag } }
}

function newRow(
  { table, partitionKey, list }: ListChange,
  at: number,
  ids: readonly string[],
): Change {
  const key = { partitionKey, rowKey: rowKeyOf(list, at) }
  return { operation: insertKept, input: { table, key, body: bodyOf(key, ids) } }
}

function bodyOf({ partitionKey, rowKey }: EntityKey, ids: readonly string[]): string {
  const row = new DynamicEntity(partitionKey, rowKey, { [IDS]: JSON.stringify(ids) })
  return dynamicEntityCodec.write(row)
}

/**
 * Reads one stored row of a list.
 *
 * @throws DecodeError (`UnreadableKeptRow`) when another program changed it
 */
export function toListRow(raw: RawEntity): ListRow {
  const ids = parsedIds(raw[IDS])
  if (ids !== undefined) return { ...emptyRow(raw), ids }
  const key = keyOfRaw(raw)
  throw new DecodeError({
    code: 'UnreadableKeptRow',
    message: `The row ${JSON.stringify([key.partitionKey, key.rowKey])} should hold an id list, and its property ${IDS} is not a JSON array of texts: another program changed it. Run rebuild of the id lists.`,
    details: { ...key, property: IDS },
  })
}

/** Returns a stored row as one without ids. */
export function emptyRow(raw: RawEntity): ListRow {
  const { rowKey } = keyOfRaw(raw)
  return { at: Number(rowKey.slice(-DIGITS)), rowKey, ids: [], etag: etagOf(raw) }
}

function parsedIds(text: unknown): readonly string[] | undefined {
  try {
    const ids: unknown = JSON.parse(String(text))
    const areIds = Array.isArray(ids) && ids.every((id) => typeof id === 'string')
    return areIds ? ids : undefined
  } catch {
    return undefined
  }
}

function rowKeyOf(list: string, at: number): string {
  return `${list}_${String(at).padStart(DIGITS, '0')}`
}
