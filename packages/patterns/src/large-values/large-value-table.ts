import { type Column, codecOf, type Table } from '@rowkey/mapper'
import { DecodeError, type EntityKey, milliseconds } from '@rowkey/odata'
import { afterWrite, type CallOptions, callOptions, TableNotFoundError } from '@rowkey/rest'
import { notSent } from '../conflicts/retry-conflicts.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { anEntity, someBytes } from '../errors/rules.ts'
import {
  atPrimary,
  declarePattern,
  type ManyWritesOptions,
  manyWritesOptions,
  optionsOfEachRequest,
} from '../options/pattern-options.ts'
import type { ModelTable } from '../rows/model-table.ts'
import type { RowsWithin } from '../rows/rows-within.ts'
import { findStored } from '../rows/stored-row.ts'
import {
  beginningOf,
  invalidAddress,
  type LargeValueProperty,
  parseAddress,
  placeBeginning,
} from './large-value-keeper.ts'
import { endingCalls, type LargeValueStore } from './large-value-store.ts'

/** The parts of an {@link LargeValueTable}. */
interface LargeValueTableParts<Entity extends object, Input extends object, Key extends object> {
  readonly table: ModelTable
  readonly rows: Table<Entity, Input, Key>
  readonly values: LargeValueProperty
  /** The rows of a table from `within`; absent for all rows. */
  readonly within?: RowsWithin | undefined
}

/** The options of {@link LargeValueTable.sweep}. */
export interface LargeValueSweepOptions extends ManyWritesOptions {
  /**
   * Milliseconds for which a value may wait for its row. Make it longer than the slowest program takes from
   * `stage` to the end of its write.
   *
   * @defaultValue 3_600_000, an hour
   */
  readonly olderThan?: number | undefined
}

const sweepOptions = declarePattern<LargeValueSweepOptions>({
  ...manyWritesOptions.rules,
  olderThan: milliseconds,
})

/** The result of {@link LargeValueTable.sweep}. */
export interface LargeValueSweep {
  /** How many values the store has for the table. */
  readonly checked: number
  /** How many of them no row referred to. They are deleted. */
  readonly deleted: number
}

/** The large values of one table, from {@link declareLargeValues}. */
export class LargeValueTable<Entity extends object, Input extends object, Key extends object> {
  readonly #parts: LargeValueTableParts<Entity, Input, Key>

  /** @internal */
  constructor(parts: LargeValueTableParts<Entity, Input, Key>) {
    this.#parts = parts
  }

  /**
   * Stores a value and sets its address in an entity, which is not written. Then write the entity alone, in
   * a batch, or by a bulk writer. If it is not written, `sweep` deletes the value.
   *
   * @param entity - the entity, new or read
   * @param bytes - the value
   *
   * @example
   * ```ts
   * await photos.stage(jones, bytes)
   * await employees.insert(jones)
   * ```
   */
  async stage(entity: Entity | Input, bytes: Uint8Array): Promise<void> {
    checkArgument(anEntity, entity, 'The entity of a large value')
    checkArgument(someBytes, bytes, 'A large value')
    await this.#stage(entity, bytes, {})
  }

  async #stage(entity: object, bytes: Uint8Array, options: CallOptions): Promise<void> {
    const { table, values } = this.#parts
    const address = `${this.#beginningFor(entity)}${table.service.newId()}`
    await this.#store.put(address, bytes, options)
    Reflect.set(entity, values.property, address)
  }

  /**
   * Stores a value, merges its address into the row, and then deletes the value before. A reader sees the value
   * before or the new one. When the value before cannot be deleted, `sweep` deletes it later.
   *
   * @param entity - an entity that was read or written
   * @param bytes - the value
   * @throws ETagMismatchError when the row has changed since it was read; it keeps its value
   */
  async save(entity: Entity, bytes: Uint8Array, options: CallOptions = {}): Promise<Entity> {
    const place = 'save of a large value'
    callOptions.check(options, place)
    checkArgument(anEntity, entity, 'The entity of a large value')
    checkArgument(someBytes, bytes, 'A large value')
    const { rows, values } = this.#parts
    return this.#run(options, place, async (call) => {
      const before = this.#addressIn(entity)
      await this.#stage(entity, bytes, optionsOfEachRequest(call)).catch((error: unknown) => {
        throw notSent(error, 'the value was not stored')
      })
      try {
        await rows.merge(entity, call)
      } catch (error) {
        Reflect.set(entity, values.property, before)
        throw error
      }
      const unused = await this.#unusedAfter(entity, before, call)
      // The program may have set the address of another row, which still refers to it.
      if (unused?.startsWith(this.#beginningFor(entity))) {
        await this.#discard(unused, optionsOfEachRequest(call))
      }
      return entity
    })
  }

  /**
   * Returns the value that a merge left without a row. A merge whose idempotency key was used before changes nothing: then the row
   * still has the value of the first call, and this one is not needed.
   */
  async #unusedAfter(
    entity: Entity,
    before: string | undefined,
    options: CallOptions,
  ): Promise<string | undefined> {
    if (options.idempotencyKey === undefined) return before
    const { values } = this.#parts
    const own = this.#addressIn(entity)
    const reading = this.#storedAddress(this.#keyOf(entity), options)
    const stored = await afterWrite(reading)
    if (stored === own) return before
    Reflect.set(entity, values.property, stored)
    return own
  }

  /** Deletes a value whose row is stored without it: neither an abort nor a failure of the store may say otherwise. */
  async #discard(address: string, options: CallOptions): Promise<void> {
    try {
      await this.#store.delete(address, options)
    } catch {
      // `sweep` deletes what no row refers to.
    }
  }

  /**
   * Reads the value of an entity. If another program has replaced it since the entity was read, it reads the row
   * again and returns the new value.
   *
   * @param entity - an entity that was read or written
   * @returns `undefined` when the entity has no value
   * @throws DecodeError (`LargeValueMissing`) when the store has lost the value
   * @throws InputError (`InvalidLargeValue`) for an address outside the rows of a table from `within`
   */
  async load(entity: Entity, options: CallOptions = {}): Promise<Uint8Array | undefined> {
    checkArgument(anEntity, entity, 'The entity of a large value')
    return this.#run(options, 'load of a large value', (call) => this.#load(entity, call))
  }

  async #load(entity: Entity, options: CallOptions): Promise<Uint8Array | undefined> {
    const { rows, table, values, within } = this.#parts
    const series = optionsOfEachRequest(options)
    const { partitionKey, rowKey } = this.#keyOf(entity)
    let address = this.#addressIn(entity)
    // The program may have set it.
    if (within && address?.startsWith(placeBeginning(table, within.partitions)) === false) {
      throw invalidAddress(values, 'refers to a value outside the rows of within')
    }
    while (address !== undefined) {
      const bytes = await this.#store.get(address, series)
      if (bytes !== undefined) return bytes
      // Each save in between replaces the value once more.
      const stored = await rows.find([partitionKey, rowKey], atPrimary(options))
      const current = stored && this.#addressIn(stored)
      if (current === address) this.#missing(partitionKey, rowKey)
      address = current
    }
    return undefined
  }

  /**
   * Deletes the values that no row of the table refers to: those of deleted rows, replaced values, and what programs
   * stored before they died. It lists the store, and reads one row for each value that is old enough.
   *
   * @param options - also `olderThan`, how long a value may wait for its row
   */
  async sweep(options: LargeValueSweepOptions = {}): Promise<LargeValueSweep> {
    sweepOptions.check(options, 'sweep of large values')
    const { olderThan = 3_600_000, ...call } = options
    const { table, values, within: rows } = this.#parts
    const { service } = table
    const beginning = placeBeginning(table, rows?.partitions)
    return this.#run(call, 'sweep of large values', async (within) => {
      const series = optionsOfEachRequest(within)
      const latest = service.now() - olderThan
      let [checked, deleted] = [0, 0]
      const names = storedNamesOf(values)
      for await (const { address, storedAt } of this.#store.list(beginning, series)) {
        if (!names.has(parseAddress(address)?.name)) continue
        checked++
        if (storedAt.getTime() > latest || (await this.#isUsed(address, within))) continue
        await this.#store.delete(address, series)
        deleted++
      }
      return { checked, deleted }
    })
  }

  /** Tells whether the row of an address refers to it. */
  async #isUsed(address: string, options: CallOptions): Promise<boolean> {
    const place = parseAddress(address)
    if (place === undefined) return true // another program stored it
    try {
      const stored = await findStored(this.#parts.table, place.key, options)
      // A program of another version may store the property under another name.
      return Object.values(stored ?? {}).includes(address)
    } catch (error) {
      if (error instanceof TableNotFoundError) return false // with all its rows
      throw error
    }
  }

  /** Reads which value a row refers to now. */
  async #storedAddress(key: EntityKey, options: CallOptions): Promise<unknown> {
    const { table, values } = this.#parts
    return (await findStored(table, key, options))?.[values.name]
  }

  /** Runs the calls of one call of the caller's. */
  #run<Result>(
    options: CallOptions,
    where: string,
    work: (options: CallOptions) => Promise<Result>,
  ): Promise<Result> {
    const { service } = this.#parts.table
    return service.call(options, where, (call) => endingCalls(work(call.options), options))
  }

  #beginningFor(entity: object): string {
    const { table, values } = this.#parts
    return beginningOf(table, this.#keyOf(entity), values.name)
  }

  #keyOf(entity: object): EntityKey {
    const { within, values } = this.#parts
    return within === undefined ? codecOf(values.model).keyOf(entity) : within.keyOf(entity)
  }

  get #store(): LargeValueStore {
    const { table, values } = this.#parts
    return values.storeOf(table.account)
  }

  #addressIn(entity: Entity): string | undefined {
    const address: unknown = Reflect.get(entity, this.#parts.values.property)
    return typeof address === 'string' ? address : undefined
  }

  #missing(partitionKey: string, rowKey: string): never {
    const { rows, values } = this.#parts
    const property = `${values.model.title}.${values.property}`
    throw new DecodeError({
      code: 'LargeValueMissing',
      message: `The store does not have the value of ${property} in the row ${JSON.stringify([partitionKey, rowKey])}: another program deleted it. Save the value again.`,
      details: { table: rows.name, partitionKey, rowKey, property },
    })
  }
}

/** Returns the stored names that the property has or may have had: also those that only earlier versions of the model have. */
function storedNamesOf({ model, name }: LargeValueProperty): ReadonlySet<string | undefined> {
  const names = new Set([name])
  const isOwn = ({ name: earlier }: Column) => model.columns.some((each) => each.name === earlier)
  for (let each = model.version?.previous; each !== undefined; each = each.version?.previous) {
    for (const column of each.columns) if (!isOwn(column)) names.add(column.name)
  }
  return names
}
