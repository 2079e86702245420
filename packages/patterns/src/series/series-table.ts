import { type Column, codecOf, type Table } from '@rowkey/mapper'
import { DynamicEntity, EntityProperty } from '@rowkey/odata'
import type { QueryShape, WhereCondition } from '@rowkey/query'
import { afterWrite, type CallOptions, callOptions } from '@rowkey/rest'
import { retryConflicts } from '../conflicts/retry-conflicts.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { anEntity, anObject } from '../errors/rules.ts'
import { atPrimary } from '../options/pattern-options.ts'
import type { ModelTable } from '../rows/model-table.ts'
import type { SeriesSlots, SeriesValues, SlotOf, Slots } from './series-slots.ts'

/** The series of one row, from {@link SeriesTable.query}. */
export interface FoundSeries<Key extends object, Declared extends Slots, Value> {
  /** The properties of the row's key. */
  readonly key: Key
  /** The values of all slots. */
  readonly values: SeriesValues<Declared, Value>
}

/** The parts of a {@link SeriesTable}. */
interface SeriesTableParts extends ModelTable {
  readonly slots: SeriesSlots
  /** The parts of the key that the rows also store by themselves. */
  readonly keyColumns: readonly Column[]
}

/** The series in the rows of one table, from {@link DataSeries}. */
export class SeriesTable<Key extends object, Declared extends Slots, Value> {
  readonly #parts: SeriesTableParts
  readonly #rows: Table<DynamicEntity>

  /** @internal */
  constructor(parts: SeriesTableParts) {
    this.#parts = parts
    this.#rows = parts.account.table(parts.name)
  }

  /**
   * Stores the value of one slot, whatever it was, by one request. A missing row is created with this slot alone.
   *
   * @param key - the properties of the row's key
   * @param slot - its place from 0, or its name
   * @param value - the value
   */
  async set(
    key: Key,
    slot: SlotOf<Declared>,
    value: Value,
    options: CallOptions = {},
  ): Promise<void> {
    callOptions.check(options, 'set of a data series')
    this.#parts.slots.check(value)
    await this.#rows.insertOrMerge(this.#rowWith(key, [[slot, value]]), options)
  }

  /**
   * Stores the values of several slots by one request, and keeps the others.
   *
   * @param key - the properties of the row's key
   * @param values - an array or an object; `undefined` keeps a slot as it is
   */
  async setAll(
    key: Key,
    values: Partial<SeriesValues<Declared, Value>>,
    options: CallOptions = {},
  ): Promise<void> {
    callOptions.check(options, 'setAll of a data series')
    await this.#rows.insertOrMerge(this.rowOf(key, values), options)
  }

  /**
   * Adds to the value of one slot, and loses no addition of another program: it reads the row and merges the slot by
   * the ETag. After a conflict it does both again, up to 10 times. A slot without a value counts as 0.
   *
   * @param key - the properties of the row's key
   * @param slot - its place from 0, or its name
   * @param amount - a number, or a bigint for `Int64`
   * @returns the new value; with an `idempotencyKey`, the value that is stored now
   * @throws InputError when the sum does not fit the type of the series
   */
  async add(
    key: Key,
    slot: SlotOf<Declared>,
    amount: Value & (number | bigint),
    options: CallOptions = {},
  ): Promise<Value> {
    const { account, slots } = this.#parts
    callOptions.check(options, 'add of a data series')
    this.#rowWith(key, [[slot, sumOf(undefined, amount)]]) // rejects a wrong slot or amount
    const attempt = async (within: CallOptions): Promise<Value> => {
      const row = await this.#rowToMerge(key, within)
      const sum = sumOf(slots.get(row, slot), amount)
      slots.set(row, slot, sum)
      await this.#rows.merge(row, within)
      if (within.idempotencyKey === undefined) return sum as Value // of the same kind as the amount
      // The key may name an addition that was stored before.
      const stored = await afterWrite(this.#rows.get(this.#keyOf(key), atPrimary(within)))
      return slots.get(stored, slot) as Value
    }
    return retryConflicts(account.service, attempt, options)
  }

  /**
   * Reads all values of a row by one point read.
   *
   * @param key - the properties of the row's key
   * @returns an array, or an object for named slots; `undefined` when the row does not exist
   */
  async read(
    key: Key,
    options: CallOptions = {},
  ): Promise<SeriesValues<Declared, Value> | undefined> {
    callOptions.check(options, 'read of a data series')
    const row = await this.#rows.find(this.#keyOf(key), options)
    return row && (this.#parts.slots.read(row) as SeriesValues<Declared, Value>)
  }

  /**
   * Reads the series of several rows: one request for each 1,000 rows.
   *
   * @param where - a condition on the properties of the key
   *
   * @example
   * ```ts
   * for await (const { key, values } of messages.query({ employee: 'jones' })) plot(key.day, values)
   * ```
   */
  async *query(
    where: WhereCondition<QueryShape<Key>>,
    options: CallOptions = {},
  ): AsyncGenerator<FoundSeries<Key, Declared, Value>, void, undefined> {
    callOptions.check(options, 'query of a data series')
    const { account, model, name, slots, keyColumns } = this.#parts
    const query = account
      .table(model, name)
      .query()
      .where(where as never) // a model has the properties of its key
      .resolve((partitionKey, rowKey, _, properties) => ({ partitionKey, rowKey, properties }))
    for await (const { partitionKey, rowKey, properties } of query.rows(options)) {
      const row = new DynamicEntity(partitionKey, rowKey, properties)
      const read = { ...model.partitionKey.parse(partitionKey), ...model.rowKey.parse(rowKey) }
      const stored = keyColumns.flatMap(({ property, name, type }) => {
        const own = row.get(name)
        return own === undefined ? [] : [[property, type ? own.as(type) : own.value] as const]
      })
      const key = { ...read, ...Object.fromEntries(stored) }
      yield { key: key as Key, values: slots.read(row) as SeriesValues<Declared, Value> }
    }
  }

  /**
   * Makes the row that stores some values, for batches and bulk writers of the table:
   * `account.table('stats').bulk().insertOrMerge(rows)`. Nothing is sent.
   *
   * @param key - the properties of the row's key
   * @param values - an array or an object; `undefined` leaves a slot out
   */
  rowOf(key: Key, values: Partial<SeriesValues<Declared, Value>>): DynamicEntity {
    checkArgument(anObject, values, 'The values of a data series')
    return this.#rowWith(key, Object.entries(values))
  }

  /**
   * Reads a row with its ETag. A missing row is stored without slots first. With the slot, the equal row of
   * another program would look like this one after a lost response, and one addition would be lost.
   */
  async #rowToMerge(key: Key, options: CallOptions): Promise<DynamicEntity> {
    const found = await this.#rows.find(this.#keyOf(key), atPrimary(options))
    if (found !== undefined) return found
    const unmarked = { ...options, exactWrites: false, idempotencyKey: undefined }
    await this.#rows.insertOrMerge(this.#rowWith(key, []), unmarked)
    return this.#rows.get(this.#keyOf(key), atPrimary(options))
  }

  #rowWith(
    key: Key,
    values: Iterable<readonly [slot: number | string, value: unknown]>,
  ): DynamicEntity {
    const { model, slots, keyColumns } = this.#parts
    const [partitionKey, rowKey] = this.#keyOf(key)
    const row = new DynamicEntity(partitionKey, rowKey)
    for (const { property, name, type } of keyColumns) {
      const value: unknown = Reflect.get(key, property)
      row.set(name, EntityProperty.of(value, type, name))
    }
    const { discriminator } = model
    if (discriminator !== undefined) row.set(discriminator.property, discriminator.value)
    for (const [slot, value] of values) if (value !== undefined) slots.set(row, slot, value)
    return row
  }

  #keyOf(key: Key): readonly [string, string] {
    checkArgument(anEntity, key, `The key of a data series of ${this.#parts.model.title}`)
    const { partitionKey, rowKey } = codecOf(this.#parts.model).keyOf(key)
    return [partitionKey, rowKey]
  }
}

function sumOf(stored: unknown, amount: unknown): number | bigint {
  if (typeof amount === 'bigint' && (typeof stored === 'bigint' || stored === undefined)) {
    return amount + (stored ?? 0n)
  }
  if (typeof amount === 'number' && (typeof stored === 'number' || stored === undefined)) {
    return amount + (stored ?? 0)
  }
  throw invalidPatternOption(
    `add of a data series needs a number, or a bigint for a slot of type Int64; got ${typeof amount}${stored === undefined ? '' : `, and the slot has a ${typeof stored}`}.`,
  )
}
