import { type Account, codecOf, type EntityModel, normalValues, type Table } from '@rowkey/mapper'
import {
  aFunction,
  type DynamicEntity,
  dynamicEntityCodec,
  type EntityProperty,
  hasSameProperties,
  InputError,
  parseEntityObject,
} from '@rowkey/odata'
import { afterWrite, type CallOptions, callOptions, EntityNotFoundError } from '@rowkey/rest'
import { retryConflicts } from '../conflicts/retry-conflicts.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption, patternsInputError } from '../errors/codes.ts'
import { anEntity } from '../errors/rules.ts'
import { atPrimary } from '../options/pattern-options.ts'
import { groupRows, type RowPlace } from '../rows/group-rows.ts'
import type { ModelTable } from '../rows/model-table.ts'
import { isSameKey } from '../rows/stored-row.ts'

/** The model of one row of a wide entity. */
export type WidePart = EntityModel<object, object, object>

/** What is known of one row of an entity. */
interface KnownRow {
  /** The row with its ETag, as it was read or sent last. */
  readonly row: DynamicEntity
  /** Its stored properties. */
  readonly stored: ReadonlyMap<string, EntityProperty>
  /** A write of it began and did not end well: other properties may be stored. */
  isInDoubt?: boolean
  /** What the codec made of it: it knows the stored properties that the model does not declare. Absent for a new row. */
  readonly shown?: object | undefined
}

/** What is known of the rows of one entity, by model; `undefined` for a row that is not stored. */
type KnownRows = readonly (KnownRow | undefined)[]

/** The place of a row: also the model that describes it. */
interface WidePlace extends RowPlace {
  readonly at: number
}

/** How often the rows of an entity are read when some of them are missing. */
const MAX_READS = 3

/** The wide entities of one table, from {@link WideEntity}. */
export class WideTable<Entity extends object, Input extends object, Key extends object> {
  readonly #account: Account
  readonly #parts: readonly WidePart[]
  readonly #rows: Table<DynamicEntity>
  readonly #known = new WeakMap<object, KnownRows>()
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
    this.#rows = account.table(name)
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
        Promise.all(this.#parts.map((part) => this.#rows.find(keyOf(part, key), call.options)))
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
    const all = this.#rows.query().inPartitions([partitionKey])
    const placeOf = ({ rowKey }: DynamicEntity) => this.#placeOf(rowKey)
    for await (const group of groupRows(all.rows(options), placeOf)) {
      const rows = this.#parts.map((_, at) => group.find(({ place }) => place.at === at)?.row)
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
    return this.#store(entity, this.#knownOf(entity, 'save'), options)
  }

  /**
   * Deletes all rows of an entity in one transaction.
   *
   * @param entity - an object that this table read or wrote
   * @throws BatchError with the status 412 when a row has changed since it was read
   */
  async delete(entity: Entity, options: CallOptions = {}): Promise<void> {
    callOptions.check(options, 'delete of a wide entity')
    const batch = this.#rows.batch()
    for (const known of this.#knownOf(entity, 'delete')) if (known) batch.delete(known.row)
    await batch.submit(options)
    this.#known.delete(entity)
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
      message: `Table ${this.#rows.name} has no wide entity with this key. Use find if it may be missing.`,
      status: 404,
      code: 'ResourceNotFound',
      requestId: undefined,
      operation: 'findEntity',
      mayHaveApplied: false,
    })
  }

  async #store(entity: object, known: KnownRows, options: CallOptions): Promise<Entity> {
    this.#checkDeclared(entity)
    const wanted = this.#parts.map((part, at) => {
      const made = rowOf(part, entity, known[at]?.shown)
      this.#checkKey(made, known[at], at)
      checkNotLater(part, made, known[at])
      return made
    })
    this.#known.set(entity, await this.#sendChanges(wanted, known, options))
    for (const [at, made] of wanted.entries()) showRow(this.#parts[at] as WidePart, made, entity)
    return entity as Entity // its rows are stored
  }

  /**
   * Sends what differs from the stored rows: one merge when a single row got or changed values, otherwise one transaction. A row that
   * lost a property is replaced, because a merge cannot remove one.
   */
  async #sendChanges(
    wanted: readonly DynamicEntity[],
    known: KnownRows,
    options: CallOptions,
  ): Promise<KnownRows> {
    const batch = this.#rows.batch()
    const merged: DynamicEntity[] = []
    // The version of the first row is that of the set: so no program deletes a set to which another one adds a row.
    const isGrowing = known.length > 0 && wanted.some((_, at) => known[at] === undefined)
    const now = wanted.map((made, at): KnownRow => {
      const before = known[at]
      if (before === undefined) {
        // The first row guards it. After a lost response, an insert would take the equal row of another program for its own.
        batch[isGrowing ? 'insertOrReplace' : 'insert'](made)
        return knownRow(made)
      }
      const { row, stored, isInDoubt = false } = before
      const isToSend = isInDoubt || (isGrowing && at === 0)
      if (!isToSend && hasSameProperties(stored, made.properties)) return before
      before.isInDoubt = true
      row.properties.clear()
      for (const [name, property] of made.properties) row.properties.set(name, property)
      // A write in doubt may have added properties.
      if (!isInDoubt && [...stored.keys()].every((name) => made.has(name))) {
        batch.merge(row)
        merged.push(row)
      } else batch.replace(row)
      return { ...before, stored: made.properties, isInDoubt: false }
    })
    const [only] = merged
    if (batch.size === 1 && only !== undefined) await this.#rows.merge(only, options)
    else if (batch.size > 0) await batch.submit(options)
    return now
  }

  /** Rejects a value in a member that no model stores, since the write would lose it. */
  #checkDeclared(entity: object): void {
    for (const member of Object.keys(entity)) {
      if (this.#members.has(member)) continue
      const value: unknown = Reflect.get(entity, member)
      if (value === undefined || value === null || typeof value === 'function') continue
      throw patternsInputError({
        code: 'UndeclaredProperty',
        message: `${member} of a wide entity in table ${this.#rows.name} has a value, but none of its models declares it, so it would not be stored. Add it to the schema of one, or remove it.`,
        details: { property: member },
      })
    }
  }

  /** Rejects a RowKey that reads would take for another one, and one that changed since the entity was read. */
  #checkKey(made: DynamicEntity, known: KnownRow | undefined, at: number): void {
    const key = JSON.stringify([made.partitionKey, made.rowKey])
    if (this.#placeOf(made.rowKey)?.at !== at) {
      throw invalidPatternOption(
        `${key} in table ${this.#rows.name} could be the row of another model of the wide entity. Choose other keys, or let the RowKeys of the models begin with different texts.`,
      )
    }
    if (known === undefined || isSameKey(known.row, made)) return
    throw invalidPatternOption(
      `The key ${key} of a wide entity in table ${this.#rows.name} differs from that of the row that was read. Set it back; to move the entity, insert a new one and delete this one.`,
    )
  }

  #assemble(rows: readonly (DynamicEntity | undefined)[]): Entity {
    const whole = {}
    const known = rows.map((row, at) => {
      if (row === undefined) return undefined
      const part = this.#parts[at] as WidePart // one for each row
      return { ...knownRow(row), shown: showRow(part, row, whole) }
    })
    this.#known.set(whole, known)
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

  #knownOf(entity: object, method: string): KnownRows {
    const known = this.#known.get(entity)
    if (known !== undefined) return known
    throw patternsInputError({
      code: 'UnknownPatternObject',
      message: `${method} of a wide entity in table ${this.#rows.name} needs an object that this table read or wrote. Read it with get, or use modify or insert.`,
    })
  }
}

/** Makes one row from the members of an entity and what was read of it. */
function rowOf(part: WidePart, entity: object, read?: object): DynamicEntity {
  const row = read ?? part.create()
  for (const member of membersOf(part)) {
    const value: unknown = Reflect.get(entity, member)
    if (value !== undefined || read !== undefined) Reflect.set(row, member, value)
  }
  return dynamicEntityCodec.read(parseEntityObject(codecOf(part).write(row)))
}

/** Assigns what a row shows to its entity, and returns it. */
function showRow(part: WidePart, row: DynamicEntity, entity: object): object {
  const shown = codecOf(part).read(row.toJSON())
  for (const member of membersOf(part)) {
    const value: unknown = Reflect.get(shown, member)
    if (value !== undefined) Reflect.set(entity, member, value)
  }
  return shown
}

function keyOf(part: WidePart, key: object): readonly [string, string] {
  const values = normalValues(part, key)
  return [part.partitionKey.print(values), part.rowKey.print(values)]
}

/** Its properties are copied, because the next save changes the row before it is sent. */
function knownRow(row: DynamicEntity): KnownRow {
  return { row, stored: new Map(row.properties) }
}

/** Rejects a write over a row of a later version, which would lose what that version added. */
function checkNotLater(
  { title, version }: WidePart,
  { partitionKey, rowKey }: DynamicEntity,
  known: KnownRow | undefined,
): void {
  const stored = version && known?.stored.get(version.property)?.value
  if (version === undefined || Number(stored ?? 1) <= version.number) return
  throw new InputError({
    code: 'LaterVersion',
    message: `${title}: the row ${JSON.stringify([partitionKey, rowKey])} of a wide entity has version ${stored}, and this program stores version ${version.number}, which would lose what the later version added. Update the program.`,
  })
}

function fixedLength({ rowKey: { segments } }: WidePart): number {
  return segments.filter((each) => typeof each === 'string').join('').length
}

/** Some rows exist and some do not. */
function isTorn(rows: readonly (DynamicEntity | undefined)[]): boolean {
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
