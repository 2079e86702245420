import {
  type Account,
  type EntityModel,
  entityOfRow,
  normalValues,
  type RowStep,
  storeRows,
  type Table,
} from '@rowkey/mapper'
import { aFunction, type DynamicEntity } from '@rowkey/odata'
import { afterWrite, type CallOptions, callOptions, EntityNotFoundError } from '@rowkey/rest'
import { retryConflicts } from '../conflicts/retry-conflicts.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption, patternsInputError } from '../errors/codes.ts'
import { anEntity } from '../errors/rules.ts'
import { atPrimary } from '../options/pattern-options.ts'
import type { ModelTable } from '../rows/model-table.ts'
import { groupRows, type RowPlace } from './group-rows.ts'

/** The model of one row of a wide entity. */
export type WidePart = EntityModel<object, object, object>

/** The rows of one entity as the tables of their models read or wrote them; `undefined` for a row that is not stored. */
type WideRows = readonly (object | undefined)[]

/** The place of a row: also the model that describes it. */
interface WidePlace extends RowPlace {
  readonly at: number
}

/** How often the rows of an entity are read when some of them are missing. */
const MAX_READS = 3

/** The wide entities of one table, from {@link wideEntity}. */
export class WideTable<Entity extends object, Input extends object, Key extends object> {
  readonly #account: Account
  readonly #name: string
  readonly #parts: readonly WidePart[]
  /** The table of each model. */
  readonly #tables: readonly Table<object, object, object>[]
  readonly #rows = new WeakMap<object, WideRows>()
  /** The members that any of the models has. */
  readonly #members: ReadonlySet<string | undefined>

  /** The models with the most fixed text first, as `${id}` also fits the RowKeys of `${id}_02`. */
  readonly #bySpecificity: readonly { readonly part: WidePart; readonly at: number }[]

  /** @internal */
  constructor(parts: readonly WidePart[], { account, name }: ModelTable) {
    this.#account = account
    this.#parts = parts
    this.#bySpecificity = parts
      .map((part, at) => ({ part, at }))
      .sort((one, other) => fixedLength(other.part) - fixedLength(one.part))
    this.#name = name
    this.#tables = parts.map((part) => account.table(part, name))
    this.#members = new Set(parts.flatMap(declaredIn))
  }

  /**
   * Stores a new entity: all its rows in one transaction.
   *
   * @returns the same object, with the new versions of its rows
   * @throws BatchError with the code `EntityAlreadyExists` when it exists
   * @throws InputError (`UndeclaredProperty`) for a value in a member that none of the models declares
   */
  async insert(entity: Input, options: CallOptions = {}): Promise<Entity> {
    callOptions.check(options, 'insert of a wide entity')
    checkArgument(anEntity, entity, 'insert of a wide entity')
    return this.#store(entity, [], options)
  }

  /**
   * Reads an entity: one point read for each row, at the same time.
   *
   * @param key - the properties of the key
   * @throws EntityNotFoundError when it does not exist
   */
  async get(key: Key, options: CallOptions = {}): Promise<Entity> {
    const entity = await this.find(key, options)
    return entity ?? this.#notFound()
  }

  /**
   * Reads an entity, if it exists: one point read for each row, at the same time. It exists when the row of the first
   * model does; the properties of any other missing row are absent.
   *
   * @param key - the properties of the key
   */
  async find(key: Key, options: CallOptions = {}): Promise<Entity | undefined> {
    checkArgument(anEntity, key, 'The key of a wide entity')
    const { service } = this.#account
    const rows = await service.call(options, 'a read of a wide entity', async (call) => {
      const read = () =>
        Promise.all(
          this.#tables.map((table, at) => table.find(keyOf(this.#partAt(at), key), call.options)),
        )
      let found = await read()
      // Rows are stored together, so reads that see only some of them may have met a write.
      for (let reads = 1; reads < MAX_READS && isTorn(found); reads++) found = await read()
      return found
    })
    return rows[0] && this.#assemble(rows)
  }

  /**
   * Reads the entities of a partition in the order of their RowKeys, by one query.
   *
   * @param partition - the properties of the PartitionKey
   *
   * @example
   * ```ts
   * for await (const stats of table.query({ department: 'Sales' })) console.log(stats.day1)
   * ```
   */
  async *query(
    partition: Partial<Key>,
    options: CallOptions = {},
  ): AsyncGenerator<Entity, void, undefined> {
    callOptions.check(options, 'query of a wide entity')
    checkArgument(anEntity, partition, 'The partition of a wide entity')
    const [first] = this.#parts
    const partitionKey = first?.partitionKey.print(normalValues(first, partition)) ?? ''
    // Cosmos DB does not sort rows, and `inPartitions` does.
    const all = this.#account.table(this.#name).query().inPartitions([partitionKey])
    const placeOf = ({ rowKey }: DynamicEntity) => this.#placeOf(rowKey)
    for await (const group of groupRows(all.rows(options), placeOf)) {
      const rows = this.#tables.map((table, at) => {
        const found = group.find(({ place }) => place.at === at)
        return found && entityOfRow(table, found.row)
      })
      if (rows[0] !== undefined) yield this.#assemble(rows)
    }
  }

  /**
   * Stores what changed since the entity was read: one request. A change of one row sends only its changed properties;
   * a change of several is one transaction. Each row is written by its own ETag, so two programs may
   * change different rows of an entity at once.
   *
   * @param entity - an object that this table read or wrote
   * @throws ETagMismatchError, or BatchError with the status 412, when a row has changed in between
   */
  async save(entity: Entity, options: CallOptions = {}): Promise<Entity> {
    callOptions.check(options, 'save of a wide entity')
    return this.#store(entity, this.#rowsOf(entity, 'save'), options)
  }

  /**
   * Deletes all rows of an entity in one transaction.
   *
   * @param entity - an object that this table read or wrote
   * @throws BatchError with the status 412 when a row has changed since it was read
   */
  async delete(entity: Entity, options: CallOptions = {}): Promise<void> {
    callOptions.check(options, 'delete of a wide entity')
    const rows = this.#rowsOf(entity, 'delete')
    const steps = rows.flatMap((row, at) => (row ? this.#step('delete', row, at) : []))
    await storeRows(steps, options)
    this.#rows.delete(entity)
  }

  /**
   * Reads an entity, lets a function change it and saves the changes. After a conflict it does all of this again, up to
   * 10 times.
   *
   * @param key - the properties of the key
   * @param modifier - changes its argument; it may run several times
   * @throws EntityNotFoundError when the entity does not exist
   */
  async modify(
    key: Key,
    modifier: (entity: Entity) => void | Promise<void>,
    options: CallOptions = {},
  ): Promise<Entity> {
    callOptions.check(options, 'modify of a wide entity')
    checkArgument(anEntity, key, 'The key of a wide entity')
    checkArgument(aFunction, modifier, 'The second argument of modify of a wide entity')
    const thrown: unknown[] = []
    const find = (within: CallOptions) => this.find(key, atPrimary(within))
    const attempt = async (within: CallOptions): Promise<Entity | undefined> => {
      const entity = await find(within)
      if (entity === undefined) return undefined
      try {
        await modifier(entity)
      } catch (error) {
        thrown.push(error)
        return undefined
      }
      await this.save(entity, within)
      // An earlier call with the key may have made the write.
      return within.idempotencyKey === undefined ? entity : afterWrite(find(within))
    }
    const stored = await retryConflicts(this.#account.service, attempt, options)
    // An error of the modifier is never a conflict of this entity.
    if (thrown.length > 0) throw thrown[0]
    return stored ?? this.#notFound()
  }

  #notFound(): never {
    throw new EntityNotFoundError({
      message: `Table ${this.#name} has no wide entity with this key. Use find if it may be missing.`,
      status: 404,
      code: 'ResourceNotFound',
      requestId: undefined,
      operation: 'findEntity',
      mayHaveApplied: false,
    })
  }

  /**
   * Stores what differs from the stored rows. A new row beside others is an upsert: after a lost response, an insert would take the
   * equal row of another program for its own. The version of the first row guards it, so no program deletes a set to which another one
   * adds a row.
   */
  async #store(entity: object, known: WideRows, options: CallOptions): Promise<Entity> {
    this.#checkDeclared(entity)
    const rows = this.#parts.map((part, at) => {
      this.#checkPlace(part, entity, at)
      return filled(part, entity, known[at])
    })
    const isNew = known.length === 0
    const isGrowing = !isNew && rows.some((_, at) => known[at] === undefined)
    const steps = rows.map((row, at) => {
      if (known[at] === undefined) return this.#step(isNew ? 'insert' : 'insertOrReplace', row, at)
      return this.#step(isGrowing && at === 0 ? 'touch' : 'save', row, at)
    })
    await storeRows(steps, options)
    this.#rows.set(entity, rows)
    for (const [at, row] of rows.entries()) show(this.#partAt(at), row, entity)
    return entity as Entity // its rows are stored
  }

  #step(kind: RowStep['kind'], entity: object, at: number): RowStep {
    return { kind, entity, table: this.#tables[at] as Table<object, object, object> } // one for each row
  }

  #partAt(at: number): WidePart {
    return this.#parts[at] as WidePart // one for each row
  }

  /** Rejects a value in a member that no model stores, since the write would lose it. */
  #checkDeclared(entity: object): void {
    for (const member of Object.keys(entity)) {
      if (this.#members.has(member)) continue
      const value: unknown = Reflect.get(entity, member)
      if (value === undefined || value === null || typeof value === 'function') continue
      throw patternsInputError({
        code: 'UndeclaredProperty',
        message: `${member} of a wide entity in table ${this.#name} has a value, but none of its models declares it, so it would not be stored. Add it to the schema of one, or remove it.`,
        details: { property: member },
      })
    }
  }

  /** Rejects a RowKey that reads would take for that of another model. */
  #checkPlace(part: WidePart, entity: object, at: number): void {
    const [partitionKey, rowKey] = keyOf(part, entity)
    if (this.#placeOf(rowKey)?.at === at) return
    throw invalidPatternOption(
      `${JSON.stringify([partitionKey, rowKey])} in table ${this.#name} could be the row of another model of the wide entity. Choose other keys, or let the RowKeys of the models begin with different texts.`,
    )
  }

  #assemble(rows: WideRows): Entity {
    const whole = {}
    for (const [at, row] of rows.entries()) if (row) show(this.#partAt(at), row, whole)
    this.#rows.set(whole, rows)
    return whole as Entity // with the members of all rows
  }

  /** Finds the entity that a row belongs to; `undefined` for a row of another type. */
  #placeOf(rowKey: string): WidePlace | undefined {
    for (const { part, at } of this.#bySpecificity) {
      try {
        const values = part.rowKey.parse(rowKey)
        const rowKeys = this.#parts.map((each) => each.rowKey.print(values))
        // Every model prints the same values in its own way, so the first one prints the id.
        return { at, rowKey, id: rowKeys[0] ?? '', last: rowKeys.sort().at(-1) ?? '' }
      } catch {
        // Another model has this row.
      }
    }
    return undefined
  }

  #rowsOf(entity: object, method: string): WideRows {
    const rows = this.#rows.get(entity)
    if (rows !== undefined) return rows
    throw patternsInputError({
      code: 'UnknownPatternObject',
      message: `${method} of a wide entity in table ${this.#name} needs an object that this table read or wrote. Read it with get, or use modify or insert.`,
    })
  }
}

/** Gives a row the members that its entity has now. */
function filled(part: WidePart, entity: object, known: object | undefined): object {
  const row = known ?? part.create()
  for (const member of membersOf(part)) {
    const value: unknown = Reflect.get(entity, member)
    if (value !== undefined || known !== undefined) Reflect.set(row, member, value)
  }
  return row
}

/** Assigns what a row shows to its entity. */
function show(part: WidePart, row: object, entity: object): void {
  for (const member of membersOf(part)) {
    const value: unknown = Reflect.get(row, member)
    if (value !== undefined) Reflect.set(entity, member, value)
  }
}

function keyOf(part: WidePart, key: object): readonly [string, string] {
  const values = normalValues(part, key)
  return [part.partitionKey.print(values), part.rowKey.print(values)]
}

function fixedLength({ rowKey: { segments } }: WidePart): number {
  return segments.filter((each) => typeof each === 'string').join('').length
}

/** Some rows exist and some do not. */
function isTorn(rows: WideRows): boolean {
  return rows.some((row) => row === undefined) && rows.some((row) => row !== undefined)
}

/** Also the members that are not stored on purpose. */
function declaredIn(part: WidePart): readonly (string | undefined)[] {
  return [...membersOf(part), ...part.ignored, part.etag, part.timestamp]
}

function membersOf({ columns, partitionKey, rowKey }: WidePart): readonly string[] {
  const stored = columns.map(({ property }) => property)
  return [...stored, ...partitionKey.properties, ...rowKey.properties]
}
