import type { Account, Table } from '@rowkey/mapper'
import { DynamicEntity, type EntityProperty } from '@rowkey/odata'
import { between } from '@rowkey/query'
import { type CallOptions, checkOptions } from '@rowkey/rest'
import { CALL_OPTIONS, checkAccount, checkText, WRITE_OPTIONS } from '../errors/check-arguments.ts'
import { patternsInputError } from '../errors/codes.ts'
import { groupRows, type RowPlace } from './group-rows.ts'
import { saveRows } from './save-rows.ts'

/**
 * A table of untyped entities with any number of properties. Each entity is split over as many rows as it needs, whose
 * RowKeys end with `_01`, `_02` and so on, up to `_99`.
 *
 * @example
 * ```ts
 * const stats = new SplitTable(account, 'stats')
 * const year = new DynamicEntity('Sales', '223')
 * for (let day = 1; day <= 365; day++) year.set(`day${day}`, 0)
 * await stats.insert(year) // two rows, one transaction
 * year.set('day200', 12)
 * await stats.save(year)   // a merge of one property
 * ```
 */
export class SplitTable {
  readonly #rows: Table<DynamicEntity>
  /** The stored rows of each entity that was read or written. */
  readonly #known = new WeakMap<DynamicEntity, ReadonlyMap<string, DynamicEntity>>()

  /**
   * @param account - the account of the table
   * @param name - the name of the table. It must not have other rows whose RowKeys end with `_` and two digits
   */
  constructor(account: Account, name: string) {
    checkAccount(account, 'SplitTable')
    checkText(name, 'The table name of SplitTable')
    this.#rows = account.table(name)
  }

  /**
   * Stores a new entity: all its rows in one transaction, which has at most 4 MiB.
   *
   * @throws EntityAlreadyExistsError or BatchError with the code `EntityAlreadyExists` when it exists
   */
  async insert(entity: DynamicEntity, options: CallOptions = {}): Promise<DynamicEntity> {
    checkOptions(options, WRITE_OPTIONS, 'insert of a split table')
    if (!(entity instanceof DynamicEntity)) throw notDynamic(this.#rows.name)
    return this.#store(entity, new Map(), options)
  }

  /** Reads an entity, if it exists: all its rows by one query of a range. */
  async find(
    partitionKey: string,
    rowKey: string,
    options: CallOptions = {},
  ): Promise<DynamicEntity | undefined> {
    checkOptions(options, CALL_OPTIONS, 'find of a split table')
    checkText(partitionKey, 'PartitionKey of find of a split table')
    checkText(rowKey, 'RowKey of find of a split table')
    const range = between(suffixed(rowKey, 0), suffixed(rowKey, 99))
    const rows = await this.#rows.query().where({ partitionKey, rowKey: range }).toArray(options)
    const own = rows.filter((row) => baseOf(row.rowKey) === rowKey)
    return own.length === 0 ? undefined : this.#assemble(own)
  }

  /**
   * Reads the entities of a partition in the order of their RowKeys, by one query.
   *
   * @param partitionKey - PartitionKey as it is stored
   */
  async *query(
    partitionKey: string,
    options: CallOptions = {},
  ): AsyncGenerator<DynamicEntity, void, undefined> {
    checkOptions(options, CALL_OPTIONS, 'query of a split table')
    checkText(partitionKey, 'PartitionKey of query of a split table')
    // Cosmos DB does not sort rows, and `inPartitions` does.
    const all = this.#rows.query().inPartitions([partitionKey])
    for await (const group of groupRows(all.rows(options), placeOf)) {
      yield this.#assemble(group.map(({ row }) => row))
    }
  }

  /**
   * Stores what changed since the entity was read, by the ETags of the rows that change: one merge for one row, otherwise
   * one transaction. A property stays in its row as long as it fits there.
   *
   * @param entity - an object that this table read or wrote
   * @throws ETagMismatchError, or BatchError with the status 412, when a row has changed in between
   */
  async save(entity: DynamicEntity, options: CallOptions = {}): Promise<DynamicEntity> {
    checkOptions(options, WRITE_OPTIONS, 'save of a split table')
    return this.#store(entity, this.#knownOf(entity, 'save'), options)
  }

  /**
   * Deletes all rows of an entity in one transaction.
   *
   * @param entity - an object that this table read or wrote
   * @throws BatchError with the status 412 when a row has changed since it was read
   */
  async delete(entity: DynamicEntity, options: CallOptions = {}): Promise<void> {
    checkOptions(options, WRITE_OPTIONS, 'delete of a split table')
    const stored = this.#knownOf(entity, 'delete')
    await saveRows(this.#rows, { stored, wanted: [] }, options)
    this.#known.delete(entity)
  }

  async #store(
    entity: DynamicEntity,
    stored: ReadonlyMap<string, DynamicEntity>,
    options: CallOptions,
  ): Promise<DynamicEntity> {
    const places = [...stored.values()].flatMap(({ rowKey, properties }) =>
      Array.from(properties.keys(), (name) => [name, rowKey] as const),
    )
    const wanted = layOut(entity, new Map(places))
    if (wanted === undefined) throw tooWide(entity)
    this.#known.set(entity, await saveRows(this.#rows, { stored, wanted }, options))
    return entity
  }

  #assemble(rows: readonly DynamicEntity[]): DynamicEntity {
    const [first] = rows as [DynamicEntity, ...DynamicEntity[]] // called with one row at least
    const properties = rows.flatMap((row) => [...row.properties])
    const whole = new DynamicEntity(first.partitionKey, baseOf(first.rowKey) ?? '', properties)
    this.#known.set(whole, new Map(rows.map((row) => [row.rowKey, row])))
    return whole
  }

  #knownOf(entity: DynamicEntity, method: string): ReadonlyMap<string, DynamicEntity> {
    const known = this.#known.get(entity)
    if (known !== undefined) return known
    throw patternsInputError({
      code: 'UnknownPatternObject',
      message: `${method} in the split table ${this.#rows.name} needs an object that this table read or wrote. Read it with find, or use insert.`,
    })
  }
}

/** Returns the RowKey of the entity that a row belongs to; `undefined` for a row of another kind. */
function baseOf(rowKey: string): string | undefined {
  return /_\d\d$/.test(rowKey) ? rowKey.slice(0, -3) : undefined
}

function placeOf({ rowKey }: DynamicEntity): RowPlace | undefined {
  const id = baseOf(rowKey)
  return id === undefined ? undefined : { id, last: suffixed(id, 99) }
}

function notDynamic(table: string): Error {
  return patternsInputError({
    code: 'InvalidPatternOption',
    message: `insert in the split table ${table} needs a DynamicEntity: new DynamicEntity(partitionKey, rowKey, properties).`,
  })
}

function tooWide({ partitionKey, rowKey }: DynamicEntity): Error {
  return patternsInputError({
    code: 'InvalidPatternOption',
    message: `The entity ${JSON.stringify([partitionKey, rowKey])} does not fit 99 rows of 252 properties. Store a part of it elsewhere.`,
  })
}

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
function layOut(
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
function suffixed(rowKey: string, at: number): string {
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
