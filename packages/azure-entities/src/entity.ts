// biome-ignore-all lint/complexity/noThisInStatic: subclasses call these methods
import { debuglog, inspect } from 'node:util'
import { unreadableRow } from '@rowkey/odata'
import { type ConditionsOf, checkConditions, type Operators, op } from './conditions/conditions.ts'
import { continuationTokenPattern } from './conditions/continuation.ts'
import {
  type ConfigureOptions,
  type PropertiesOf,
  type PropertyTypes,
  toDefinition,
  type ValuesOf,
} from './definition/configuration.ts'
import type { Properties } from './definition/definition.ts'
import { type EntityState, keyFrom, propertiesFrom, stateOf } from './definition/entity-row.ts'
import { EntityWriteCongestionError } from './errors/entity-write-congestion-error.ts'
import { type Key, type Keys, keys } from './keys/keys.ts'
import { type HasHandler, type ScanOptions, type ScanResult, scan } from './operations/scan.ts'
import { keyOf, type StoredRow, unlessMissing } from './operations/table-client.ts'
import { checkModifier, createEntity, modifyEntity } from './operations/write-entity.ts'
import {
  bindingOf,
  bindings,
  checkNotSetUp,
  definitionOf,
  definitions,
  toBinding,
} from './setup/binding.ts'
import type { SetupOptions } from './setup/setup-options.ts'
import { type Types, types } from './types/types.ts'

/** Any class of entities. */
export interface EntityClass {
  /** The prototype of its entities. */
  readonly prototype: Entity
  new (state: EntityState): Entity
}

/** The properties of an entity as a modifier may change them. */
export type DraftOf<Item> = {
  -readonly [Name in keyof Item as Name extends keyof Entity
    ? never
    : Item[Name] extends (...values: never[]) => unknown
      ? never
      : Name]: Item[Name]
}

/** A class that `configure` returns: its entities have the properties. */
export type ConfiguredClass<Class extends EntityClass, Declared extends PropertyTypes> = Omit<
  Class,
  'prototype' | '__properties'
> & {
  /** The types of the properties, as they were configured. */
  readonly __properties: Declared
  /** The prototype of the entities. */
  readonly prototype: InstanceType<Class> & Readonly<ValuesOf<Declared>>
  new (state: EntityState): InstanceType<Class> & Readonly<ValuesOf<Declared>>
}

/**
 * A row of a table, as an entity that reads and writes itself. `configure` makes a class of its properties,
 * `setup` connects the class with a table.
 *
 * @example
 * ```ts
 * const KeyValue = Entity.configure({
 *   version: 1,
 *   partitionKey: Entity.keys.StringKey('key'),
 *   rowKey: Entity.keys.ConstantKey('kv-pair'),
 *   properties: { key: Entity.types.String, value: Entity.types.JSON },
 * }).setup({ tableName: 'values', credentials: 'inMemory' })
 *
 * await KeyValue.ensureTable()
 * const entity = await KeyValue.create({ key: 'colour', value: { red: 1 } })
 * await entity.modify((draft) => { draft.value = { red: 2 } })
 * ```
 */
export class Entity {
  /** The types of properties. */
  static readonly types: Types = types
  /** The kinds of keys. */
  static readonly keys: Keys = keys
  /** The operators of conditions. */
  static readonly op: Operators = op
  /** Matches continuation tokens, to screen texts that come from users. */
  static readonly continuationTokenPattern: RegExp = continuationTokenPattern
  /** Makes a StringKey, as the first versions spell it. */
  static readonly StringKey: Keys['StringKey'] = keys.StringKey
  /** Makes a ConstantKey, as the first versions spell `Entity.keys.ConstantKey`. */
  static readonly ConstantKey: Keys['ConstantKey'] = keys.ConstantKey
  /** Makes a CompositeKey, as the first versions spell `Entity.keys.CompositeKey`. */
  static readonly CompositeKey: Keys['CompositeKey'] = keys.CompositeKey
  /** Makes a HashKey, as the first versions spell `Entity.keys.HashKey`. */
  static readonly HashKey: Keys['HashKey'] = keys.HashKey

  /**
   * Receives the calls that `operationReportChance` and `operationReportThreshold` of `setup` choose, as
   * `TIMING: getEntity on items took 5 milliseconds.` Assign a function of your own to read them.
   *
   * @defaultValue prints them to stderr when the environment variable `NODE_DEBUG` contains `entity`
   */
  static debug: (message: string) => void = debuglog('entity')

  /** The class of the error after ten attempts of `modify`. */
  static readonly EntityWriteCongestionError: typeof EntityWriteCongestionError =
    EntityWriteCongestionError

  /** PartitionKey. */
  declare readonly _partitionKey: string
  /** RowKey. */
  declare readonly _rowKey: string
  /** The version of the stored row, which may be older than the class. */
  declare readonly _version: number
  /** The properties, by name. */
  declare readonly _properties: Properties
  /** The ETag of the stored row, as of the last read or write. */
  declare readonly _etag: string

  /** @param state - the state of the entity's row; only the methods of the class make entities */
  constructor(state: EntityState) {
    Object.assign(this, state)
  }

  /** Makes the PartitionKey of properties. */
  get __partitionKey(): Key {
    return definitionOf(this).partitionKey
  }

  /** Makes the RowKey of properties. */
  get __rowKey(): Key {
    return definitionOf(this).rowKey
  }

  /**
   * Makes a subclass with properties and keys. Called on a configured class, it makes the next version, which
   * migrates rows of the version before when it reads them.
   *
   * @param options - the version, the properties, the keys and more
   * @throws InputError (`InvalidConfiguration` or `InvalidKey`), or `InvalidState` after `setup`
   */
  static configure<Class extends EntityClass, const Declared extends PropertyTypes>(
    this: Class,
    options: ConfigureOptions<Declared>,
  ): ConfiguredClass<Class, Declared> {
    checkNotSetUp(this.prototype)
    const definition = toDefinition(options as ConfigureOptions, definitions.of(this.prototype))
    const subclass = subclassOf(this)
    definitions.set(subclass.prototype, definition)
    for (const name of Object.keys(definition.mapping)) {
      const get = function (this: Entity): unknown {
        return this._properties[name]
      }
      Object.defineProperty(subclass.prototype, name, { get, configurable: true, enumerable: true })
    }
    Object.defineProperty(subclass, '__properties', { value: options.properties })
    return subclass as unknown as ConfiguredClass<Class, Declared>
  }

  /**
   * Makes a subclass that is connected with a table. It cannot be configured or set up again; the class that
   * it is called on can be set up for other tables. Nothing is sent.
   *
   * @param options - the table, the credentials, the keys that sign and encrypt, and the context
   * @throws InputError (`InvalidSetup` or `UnknownOption`), or `InvalidState` before `configure`
   */
  static setup<Class extends EntityClass>(this: Class, options: SetupOptions): Class {
    checkNotSetUp(this.prototype)
    const debug = (message: string) => Entity.debug(message)
    const binding = toBinding(options, definitionOf(this.prototype), debug)
    const subclass = subclassOf(this)
    bindings.set(subclass.prototype, binding)
    Object.assign(subclass.prototype, binding.setup.context)
    return subclass as Class
  }

  /**
   * Creates the table unless it exists. Sends nothing with a shared access signature, which has a
   * table.
   */
  static async ensureTable(this: EntityClass): Promise<void> {
    const { client, tableExists } = bindingOf(this.prototype)
    if (!tableExists) await client.createTable()
  }

  /**
   * Deletes the table with all rows.
   *
   * @throws TableNotFoundError (`ResourceNotFound`, `statusCode` 404) when the table does not exist
   */
  static async removeTable(this: EntityClass): Promise<void> {
    await bindingOf(this.prototype).client.deleteTable()
  }

  /**
   * Stores a new row and returns its entity.
   *
   * @param properties - all properties of the class
   * @param overwriteIfExists - whether to replace a row with the same keys; `false` by default
   * @throws EntityAlreadyExistsError (`EntityAlreadyExists`, `statusCode` 409) when the row exists
   * @throws InputError (`InvalidValue`, `PropertyTooLarge` or `MissingKeyProperty`)
   */
  static async create<Class extends EntityClass>(
    this: Class,
    properties: PropertiesOf<Class>,
    overwriteIfExists = false,
  ): Promise<InstanceType<Class>> {
    const given = propertiesFrom(properties)
    return entityOf(this, await createEntity(bindingOf(this.prototype), given, overwriteIfExists))
  }

  /**
   * Reads an entity by its keys.
   *
   * @param properties - at least the properties of the keys; none for two ConstantKeys
   * @param ignoreIfNotExists - whether a missing row is `null`; `false` by default
   * @throws EntityNotFoundError (`ResourceNotFound`, `statusCode` 404) when the row does not exist
   * @throws DecodeError when the row does not fit or its signature is wrong
   */
  static load<Class extends EntityClass>(
    this: Class,
    properties?: Partial<PropertiesOf<Class>>,
    ignoreIfNotExists?: false,
  ): Promise<InstanceType<Class>>
  static load<Class extends EntityClass>(
    this: Class,
    properties: Partial<PropertiesOf<Class>> | undefined,
    ignoreIfNotExists: boolean | undefined,
  ): Promise<InstanceType<Class> | null>
  static async load<Class extends EntityClass>(
    this: Class,
    properties: Partial<PropertiesOf<Class>> = {},
    ignoreIfNotExists = false,
  ): Promise<InstanceType<Class> | null> {
    const { client, definition } = bindingOf(this.prototype)
    const key = keyFrom(definition, propertiesFrom(properties))
    const stored = await unlessMissing(client.get(key), ignoreIfNotExists)
    return stored === undefined ? null : readEntity(this, stored)
  }

  /**
   * Removes a row by its keys, whatever it contains.
   *
   * @param properties - at least the properties of the keys
   * @param ignoreIfNotExists - whether a missing row is `false`; `false` by default
   * @returns whether there was a row
   * @throws EntityNotFoundError (`ResourceNotFound`, `statusCode` 404) when the row does not exist
   */
  static async remove<Class extends EntityClass>(
    this: Class,
    properties: Partial<PropertiesOf<Class>> = {},
    ignoreIfNotExists = false,
  ): Promise<boolean> {
    const { client, definition } = bindingOf(this.prototype)
    const key = keyFrom(definition, propertiesFrom(properties))
    const removed = client.delete(key, '*').then(() => true)
    return (await unlessMissing(removed, ignoreIfNotExists)) ?? false
  }

  /**
   * Reads a page of entities, or passes all entities to a handler. Without `matchPartition: 'exact'` the
   * service reads the whole table: use it in background jobs only.
   *
   * @param conditions - a value or an operator of `Entity.op` for some properties
   * @param options - how the conditions match the keys, the size of a page, where to continue, a handler
   * @throws InputError (`InvalidCondition`, `InvalidScanOption`, `InvalidContinuationToken` or
   * `MissingKeyProperty`)
   */
  static scan<Class extends EntityClass>(
    this: Class,
    conditions: ConditionsOf<Class> | null | undefined,
    options: ScanOptions<InstanceType<Class>> & HasHandler<InstanceType<Class>>,
  ): Promise<void>
  static scan<Class extends EntityClass>(
    this: Class,
    conditions?: ConditionsOf<Class> | null,
    options?: ScanOptions<InstanceType<Class>>,
  ): Promise<ScanResult<InstanceType<Class>>>
  static async scan<Class extends EntityClass>(
    this: Class,
    conditions?: ConditionsOf<Class> | null,
    options: ScanOptions<InstanceType<Class>> = {},
  ): Promise<unknown> {
    return scanWith(this, conditions ?? {}, options)
  }

  /**
   * Does what `scan` does, in one partition: the conditions must determine the PartitionKey.
   *
   * @param conditions - as for `scan`
   * @param options - as for `scan`
   */
  static query<Class extends EntityClass>(
    this: Class,
    conditions: ConditionsOf<Class>,
    options: ScanOptions<InstanceType<Class>> & HasHandler<InstanceType<Class>>,
  ): Promise<void>
  static query<Class extends EntityClass>(
    this: Class,
    conditions: ConditionsOf<Class>,
    options?: ScanOptions<InstanceType<Class>>,
  ): Promise<ScanResult<InstanceType<Class>>>
  static async query<Class extends EntityClass>(
    this: Class,
    conditions: ConditionsOf<Class>,
    options: ScanOptions<InstanceType<Class>> = {},
  ): Promise<unknown> {
    return scanWith(this, conditions ?? {}, { ...options, matchPartition: 'exact' })
  }

  /**
   * Changes properties and sends what changed; sends nothing without a change. When the row changed in
   * between, it is read again and the modifier runs again: it must not have other effects.
   *
   * @param modifier - changes a copy of the properties, which is `this` and the first argument; may be async
   * @throws EntityWriteCongestionError after ten attempts
   * @throws EntityNotFoundError when the row does not exist any more
   * @throws AmbiguousWriteError when the response was lost: the modifier never runs on its own result. The next `modify` reads the row first
   * @throws InputError (`KeyChanged`, `InvalidValue` or `PropertyTooLarge`)
   */
  async modify(modifier: (this: DraftOf<this>, draft: DraftOf<this>) => unknown): Promise<this> {
    checkModifier(modifier)
    const change = modifier as (this: Properties, draft: Properties) => unknown
    return Object.assign(this, await modifyEntity(bindingOf(this), this, change))
  }

  /**
   * Removes the row.
   *
   * @param ignoreChanges - whether to remove a row that changed since it was read; `false` by default
   * @param ignoreIfNotExists - whether a missing row is fine; `false` by default
   * @throws ETagMismatchError (`UpdateConditionNotSatisfied`, `statusCode` 412) when the row has changed
   * @throws EntityNotFoundError (`ResourceNotFound`, `statusCode` 404) when the row does not exist
   */
  async remove(ignoreChanges = false, ignoreIfNotExists = false): Promise<void> {
    const { client } = bindingOf(this)
    const key = { partitionKey: this._partitionKey, rowKey: this._rowKey }
    await unlessMissing(client.delete(key, ignoreChanges ? '*' : this._etag), ignoreIfNotExists)
  }

  /**
   * Reads the row again.
   *
   * @returns whether the row had changed
   * @throws EntityNotFoundError (`ResourceNotFound`, `statusCode` 404) when the row does not exist
   */
  async reload(): Promise<boolean> {
    const { client, definition, setup } = bindingOf(this)
    const { row, etag } = await client.get({
      partitionKey: this._partitionKey,
      rowKey: this._rowKey,
    })
    const hasChanged = etag !== this._etag
    Object.assign(this, stateOf(definition, setup, row, etag))
    return hasChanged
  }

  /**
   * Returns the properties as text for people.
   *
   * @param depth - how deep to go into values; 2 by default
   */
  inspect(depth?: number | null): string {
    return inspect(this._properties, { depth: depth === undefined ? 2 : depth })
  }
}

function subclassOf(parent: EntityClass): EntityClass {
  return class extends parent {}
}

const entityOf = <Class extends EntityClass>(Class: Class, state: EntityState) =>
  new Class(state) as InstanceType<Class>

function readEntity<Class extends EntityClass>(
  Class: Class,
  { row, etag }: StoredRow,
): InstanceType<Class> {
  const { client, definition, setup } = bindingOf(Class.prototype)
  try {
    return entityOf(Class, stateOf(definition, setup, row, etag))
  } catch (error) {
    throw unreadableRow(error, { table: client.table, ...keyOf(row) })
  }
}

function scanWith<Class extends EntityClass>(
  Class: Class,
  conditions: object,
  options: ScanOptions<InstanceType<Class>>,
): Promise<ScanResult<InstanceType<Class>> | undefined> {
  const { client, definition } = bindingOf(Class.prototype)
  checkConditions(conditions)
  const toEntity = (stored: StoredRow) => readEntity(Class, stored)
  return scan({ client, definition, toEntity }, { ...conditions }, options)
}
