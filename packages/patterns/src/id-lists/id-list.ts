import { codecOf, type EntityModel, type KeptTable, type KeyCodec } from '@rowkey/mapper'
import {
  and,
  checkEntityKey,
  comparison,
  DynamicEntity,
  dynamicEntityCodec,
  type EntityKey,
  keyOfRaw,
  literalOf,
  type RawEntity,
} from '@rowkey/odata'
import {
  type CallOptions,
  type Change,
  deleteEntity,
  insertEntity,
  updateEntity,
} from '@rowkey/rest'
import { etagOf } from '../indexes/entry-reader.ts'
import { inPartition } from '../rows/row-filter.ts'
import { scanRows } from '../rows/scan-rows.ts'

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
export const IDS = 'RowKeys'
/** The most UTF-16 units of that text: below the 32,768 of a String, so that the lists of a batch fit a transaction. */
const FULL = 30_000
/** The digits of the number of a row. */
const DIGITS = 3

/** One id list of a model: it reads and changes its rows. */
export class IdList {
  /** The name of the list. */
  readonly name: string
  /** The key of a list: a fixed beginning and the properties of its entities. */
  readonly template: KeyCodec
  readonly #model: EntityModel<object>

  /** @internal */
  constructor(name: string, model: EntityModel<object>, template: KeyCodec) {
    this.name = name
    this.template = template
    this.#model = model
  }

  /** Returns the list that a row belongs to, without the number; `undefined` for a row without a value. */
  listOf(raw: RawEntity): string | undefined {
    return this.listOfEntity(codecOf(this.#model).read(raw))
  }

  /** Returns the list that an entity belongs to; `undefined` for an entity without a value. */
  listOfEntity(entity: object): string | undefined {
    const { properties } = this.template
    if (properties.some((name) => (Reflect.get(entity, name) ?? undefined) === undefined)) {
      return undefined
    }
    const list = this.template.print(entity)
    checkEntityKey({ partitionKey: '', rowKey: rowKeyOf(list, 0) })
    return list
  }

  /** Returns the list and the number of a stored row; `undefined` for a row of another kind. */
  placeOf(rowKey: string): { readonly list: string; readonly at: number } | undefined {
    const match = /^(.*)_(\d{3})$/s.exec(rowKey)
    if (match === null) return undefined
    return { list: match[1] ?? '', at: Number(match[2]) }
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
      if (this.placeOf(keyOfRaw(raw).rowKey)?.list === list) rows.push(toListRow(raw))
    }
    return rows
  }
}

/** What becomes of one list. */
export interface ListChange {
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
  return { operation: insertEntity, input: { table, key, body: bodyOf(key, ids) } }
}

function bodyOf({ partitionKey, rowKey }: EntityKey, ids: readonly string[]): string {
  const row = new DynamicEntity(partitionKey, rowKey, { [IDS]: JSON.stringify(ids) })
  return dynamicEntityCodec.write(row)
}

/** Reads one stored row of a list. */
export function toListRow(raw: RawEntity): ListRow {
  const { rowKey } = keyOfRaw(raw)
  const text = raw[IDS]
  const ids: unknown = typeof text === 'string' ? JSON.parse(text) : []
  return {
    at: Number(rowKey.slice(-DIGITS)),
    rowKey,
    ids: Array.isArray(ids) ? ids.map(String) : [],
    etag: etagOf(raw),
  }
}

function rowKeyOf(list: string, at: number): string {
  return `${list}_${String(at).padStart(DIGITS, '0')}`
}
