import { type DynamicEntity, invalidOption, printFilter, type RawEntity } from '@rowkey/odata'
import type { ProjectionOf, PropertyOf, Selection } from '@rowkey/query'
import {
  type Call,
  type CallOptions,
  callOf,
  callOptions,
  createTable,
  createTableIfNotExists,
  deleteTable,
  deleteTableIfExists,
  type Operation,
  type SharedAccessSignature,
  type SweepOptions,
  sweepMarkers,
  type TableAddress,
  tableSas,
} from '@rowkey/rest'
import { BufferedWriter } from '../bulk/buffered-writer.ts'
import {
  type BufferOptions,
  type BulkOptions,
  bufferOptions,
  bulkOptions,
  bulkSettings,
} from '../bulk/bulk-options.ts'
import type { BulkRun } from '../bulk/bulk-run.ts'
import { BulkWriter, type BulkWriterParts } from '../bulk/bulk-writer.ts'
import type { KeyMembers } from '../model/entity-model.ts'
import { isCallOptions } from '../options/call-options.ts'
import {
  type InsertOptions,
  insertOptions,
  noOptions,
  type WriteOptions,
  writeOptions,
} from '../options/write-options.ts'
import { checkOneKey, type EntityTarget } from '../rows/entity-target.ts'
import { partsWithin } from '../rows/parts-within.ts'
import { entityExists, onlyExists, readEntity, readMany } from '../rows/read-entity.ts'
import type {
  AnyReadOptions,
  KeyRule,
  ManyOptions,
  NoText,
  OneKey,
  ResolveOptions,
  SelectOptions,
  TableShape,
} from '../rows/read-options.ts'
import { readRow } from '../rows/read-row.ts'
import { storedParts, type TableParts } from '../rows/table-parts.ts'
import { Batch } from '../writes/batch.ts'
import { bulkTarget } from '../writes/bulk-table.ts'
import { checkedWrite } from '../writes/check-operation.ts'
import { execute } from '../writes/execute-operation.ts'
import type { EntityModifier, ModifyOptions } from '../writes/modify-entity.ts'
import { modifyTarget } from '../writes/modify-in-turn.ts'
import type {
  AnyOperation,
  ResultOf,
  ResultsOf,
  TableOperation,
  TableWrite,
} from '../writes/operation.ts'
import { reloadEntity } from '../writes/reload-entity.ts'
import type { Write } from '../writes/write.ts'
import { Writes } from '../writes/writes.ts'
import { writtenEntity } from '../writes/written-entity.ts'
import { AccessPolicies } from './admin/access-policies.ts'
import { type CreateOptions, createOptions } from './admin/admin-options.ts'
import { createWaiting } from './admin/create-waiting.ts'
import { tableExists } from './admin/list-tables.ts'
import { sasTermsOf, type TableSasTerms, tableSasTerms } from './admin/sas-terms-of.ts'
import { deleteWithin } from './delete-within.ts'
import { openQuery, openRawQuery } from './open-query.ts'
import type { CopyOptions, DeleteAllOptions } from './raw-options.ts'
import { type CopyDestination, RawTable } from './raw-table.ts'
import type { TableQuery } from './table-query.ts'

/**
 * One table and its entities, from {@link Account.table}.
 *
 * Each method names its requests without faults. The retry policy decides how often each of them may be sent again, and a write in
 * doubt adds reads that settle it; `budget` limits all of them. Invalid input is rejected before anything is sent.
 *
 * @example
 * ```ts
 * const customers = account.table(Customer)
 * const jeff = await customers.get(['Smith', 'Jeff'])
 * jeff.points = 5n
 * await customers.merge(jeff) // sends only points, and only if the entity has not changed since
 * ```
 */
export class Table<
  Entity extends object,
  Input extends object = Entity,
  Key extends object = KeyMembers<Entity>,
> {
  /** The table's name. */
  readonly name: string
  /** @internal */
  readonly rawRows: RawTable
  /** @internal */
  readonly parts: TableParts<Entity>
  /** @internal */
  readonly writes: Writes<Entity>

  /** @param parts - the parts of the table, from {@link Account.table} */
  constructor(parts: TableParts<Entity>) {
    this.name = parts.name
    this.parts = parts
    this.writes = new Writes(parts)
    // The deletes of raw rows are final, whatever their type is.
    this.rawRows = new RawTable(parts, () => bulkTarget(new Writes(storedParts(parts))))
  }

  /**
   * Reads one entity as another value.
   *
   * Requests: `1`.
   *
   * @param target - its key, as for any read
   * @param options - also `resolve`, which makes the result from the parts of the entity
   * @throws EntityNotFoundError when the entity does not exist
   * @throws DecodeError with the code `ResolverFailed` when the resolver throws
   *
   * @example
   * ```ts
   * const points = await customers.get(['Smith', 'Jeff'], {
   *   resolve: (lastName, firstName, timestamp, properties) => properties.get('points')?.value,
   * })
   * ```
   */
  get<Result>(target: EntityTarget | Key, options: ResolveOptions<Result>): Promise<Result>
  /**
   * Reads some properties of one entity.
   *
   * Requests: `1`.
   *
   * @param target - its key, as for any read
   * @param options - also `select`, the properties to read
   * @throws EntityNotFoundError when the entity does not exist
   *
   * @example
   * ```ts
   * const jeff = await customers.get(['Smith', 'Jeff'], { select: ['points'] })
   * ```
   */
  get<Name extends PropertyOf<TableShape<Entity>>>(
    target: EntityTarget | Key,
    options: SelectOptions<Name>,
  ): Promise<Selection<Entity, TableShape<Entity>, Name>>
  /**
   * Reads one entity.
   *
   * Requests: `1`.
   *
   * @param target - its key: `['Smith', 'Jeff']`, `{ partitionKey, rowKey }`, or the properties that make
   * up the key: `{ lastName: 'Smith', firstName: 'Jeff' }`
   * @throws EntityNotFoundError when the entity does not exist; {@link Table.find} returns `undefined`
   */
  get(target: EntityTarget | Key, options?: CallOptions): Promise<Entity>
  /**
   * Explains at compile time that a key is one argument.
   *
   * @hidden
   */
  get<Options>(
    target: OneKey<Options, EntityTarget | Key>,
    options: NoText<Options, Entity>,
  ): Promise<Entity>
  get(target: EntityTarget | Key, options: AnyReadOptions = {}): Promise<unknown> {
    return readEntity(this.parts, 'get', target, options)
  }

  /**
   * Reads one entity as another value, if the entity exists.
   *
   * Requests: `1`.
   *
   * @param target - its key, as for any read
   * @param options - also `resolve`, which makes the result from the parts of the entity
   * @returns `undefined` for a missing entity; a missing table is an error, except on Cosmos DB, which does
   * not tell the two apart
   */
  find<Result>(
    target: EntityTarget | Key,
    options: ResolveOptions<Result>,
  ): Promise<Result | undefined>
  /**
   * Reads some properties of one entity, if it exists.
   *
   * Requests: `1`.
   *
   * @param target - its key, as for any read
   * @param options - also `select`, the properties to read
   * @returns `undefined` for a missing entity; a missing table is an error, except on Cosmos DB, which does
   * not tell the two apart
   */
  find<Name extends PropertyOf<TableShape<Entity>>>(
    target: EntityTarget | Key,
    options: SelectOptions<Name>,
  ): Promise<Selection<Entity, TableShape<Entity>, Name> | undefined>
  /**
   * Reads one entity, if it exists.
   *
   * Requests: `1`.
   *
   * @param target - its key, as for {@link Table.get}
   * @returns `undefined` for a missing entity; a missing table is an error, except on Cosmos DB, which does
   * not tell the two apart
   */
  find(target: EntityTarget | Key, options?: CallOptions): Promise<Entity | undefined>
  /**
   * Explains at compile time that a key is one argument.
   *
   * @hidden
   */
  find<Options>(
    target: OneKey<Options, EntityTarget | Key>,
    options: NoText<Options, Entity>,
  ): Promise<Entity | undefined>
  find(target: EntityTarget | Key, options: AnyReadOptions = {}): Promise<unknown> {
    return readEntity(this.parts, 'find', target, options)
  }

  /**
   * Reads several entities by their keys, with one request for each key and several pending at once.
   * The service has no joins: use this to read the entities that others refer to.
   *
   * Requests: `keys`, each of them once.
   *
   * @param targets - their keys, as for one read
   * @param options - also `concurrency`, how many reads may be pending at once
   * @returns one item for each key, in the order of the keys; `undefined` for a missing entity. A missing
   * table is an error
   *
   * @example
   * ```ts
   * const [jeff, ben] = await customers.getMany([['Smith', 'Jeff'], ['Smith', 'Ben']])
   * ```
   */
  async getMany(
    targets: Iterable<EntityTarget | Key>,
    options: ManyOptions = {},
  ): Promise<(Entity | undefined)[]> {
    return readMany(this.parts, targets, options)
  }

  /**
   * Starts a query. Nothing is sent before it runs; then it sends one request for each page.
   *
   * @example
   * ```ts
   * for await (const customer of customers.query().where({ lastName: 'Smith' })) {
   *   console.log(customer.firstName)
   * }
   * ```
   */
  query(): TableQuery<Entity>
  query(options: object = {}): TableQuery<Entity> {
    noOptions.check(options, `query of table ${this.name}`)
    return openQuery(this.parts, this.rawRows)
  }

  /**
   * Stores a new entity.
   *
   * Requests: `1`.
   *
   * @param options - also `echo`, to get the entity as the service stored it
   * @returns the same object, with its new ETag (and Timestamp). A new object if the entity is frozen, or
   * with `echo` if the service returned the entity
   * @throws EntityAlreadyExistsError when an entity with the same key exists
   */
  async insert(entity: Input, options: InsertOptions = {}): Promise<Entity> {
    insertOptions.check(options, `insert of table ${this.name}`)
    const { echo, ...rest } = options
    const made = this.writes.of(entity).insert(entity)
    const write = echo ? { ...made, input: { ...made.input, echo } } : made
    const { raw, etag } = await this.writes.insert(write, this.#call('insert', rest))
    return raw === undefined ? this.#written(write) : readRow(this.parts, raw, etag)
  }

  /**
   * Changes some properties of a stored entity and keeps the others.
   *
   * For an entity that was read, it sends only the properties that changed since, and nothing when nothing
   * changed. For any other entity it sends every property that has a value. A merge cannot remove a property.
   *
   * Requests: `changed ? 1 : 0`.
   *
   * @param entity - the entity, or a row of a query with `select`
   * @param options - also `etag`: by default the entity's own
   * @returns the same object, with its new ETag (and Timestamp)
   * @throws ETagMismatchError when the entity has changed since it was read
   * @throws InputError (`MissingETag`) without an ETag
   */
  async merge<Row extends Entity | ProjectionOf<Entity>>(
    entity: Row,
    options: WriteOptions = {},
  ): Promise<Row> {
    writeOptions.check(options, `merge of table ${this.name}`)
    const { etag, ...rest } = options
    const write = this.writes.of(entity).merge(entity, etag)
    if (write !== undefined) await this.writes.send(write, this.#call('merge', rest))
    return (write?.object?.entity ?? entity) as Row
  }

  /**
   * Replaces the stored entity: properties without a value are removed. Stored properties that the class
   * does not declare stay as they were read, so this version must have been read whole. After an upsert, or
   * a merge with another ETag, read the entity again.
   *
   * Requests: `1`.
   *
   * @param options - also `etag`: by default the entity's own
   * @returns the same object, with its new ETag (and Timestamp)
   * @throws ETagMismatchError when the entity has changed since it was read
   * @throws InputError (`MissingETag`) without an ETag
   * @throws InputError (`ProjectedEntity`) when the entity was read with `select`, or its ETag is that of a
   * version that was not read
   */
  replace(entity: Entity | Input, options: WriteOptions = {}): Promise<Entity> {
    return this.#write('replace', entity, options)
  }

  /**
   * Stores an entity, or merges it into the stored one, whatever its ETag. Sends only properties that the
   * class declares.
   *
   * Requests: `1`.
   *
   * @returns the same object, with its new ETag (and Timestamp)
   */
  insertOrMerge(entity: Entity | Input, options: CallOptions = {}): Promise<Entity> {
    return this.#write('insertOrMerge', entity, options)
  }

  /**
   * Stores an entity, or replaces the stored one, whatever its ETag.
   *
   * Requests: `1`.
   *
   * @returns the same object, with its new ETag (and Timestamp)
   * @throws InputError (`ProjectedEntity`) when the entity was read with `select`
   */
  insertOrReplace(entity: Entity | Input, options: CallOptions = {}): Promise<Entity> {
    return this.#write('insertOrReplace', entity, options)
  }

  /**
   * Deletes one entity. With `etag: '*'` and a key, it deletes whatever row has the key, also one of another type.
   *
   * Requests: `1`.
   *
   * @param target - the entity, or its key; a key alone needs `etag`
   * @param options - also `etag`: by default the entity's own
   * @throws EntityNotFoundError when the entity does not exist
   * @throws ETagMismatchError when the entity has changed since it was read
   * @throws InputError (`MissingETag`) without an ETag
   *
   * @example
   * ```ts
   * await customers.delete(['Smith', 'Jeff'], { etag: '*' })
   * ```
   */
  async delete(
    target: Entity | ProjectionOf<Entity> | EntityTarget | Key | KeyRule,
    options: WriteOptions = {},
  ): Promise<void> {
    const { write, call } = this.#deletion(target, options, 'delete')
    await this.writes.send(write, call)
  }

  /**
   * Deletes one entity, if it exists.
   *
   * Requests: `1`.
   *
   * @param target - the entity, or its key; a key alone needs `etag`
   * @param options - also `etag`: by default the entity's own
   * @returns true when the entity was deleted, false when it did not exist
   * @throws ETagMismatchError when the entity has changed since it was read
   * @throws InputError (`MissingETag`) without an ETag
   */
  async deleteIfExists(
    target: Entity | ProjectionOf<Entity> | EntityTarget | Key | KeyRule,
    options: WriteOptions = {},
  ): Promise<boolean> {
    const { write, call } = this.#deletion(target, options, 'deleteIfExists')
    return this.writes.deleteIfExists(write, call)
  }

  /** Starts an atomic transaction on one partition; nothing is sent before `submit`. */
  batch(): Batch<Entity, Input, Key>
  batch(options: object = {}): Batch<Entity, Input, Key> {
    noOptions.check(options, `batch of table ${this.name}`)
    return new Batch<Entity, Input, Key>(this.writes)
  }

  /**
   * Returns a writer of any number of entities, in any partitions, from arrays, generators and streams. It
   * groups them into transactions and sends several at once. Unlike a batch it is not atomic: each operation
   * has an outcome of its own. Nothing is sent before one of its writes begins.
   *
   * @param options - also `concurrency`, `onConflict` and `onProgress`
   * @throws InputError with the code `UnknownOption` or `InvalidOptionValue`
   *
   * @example
   * ```ts
   * const { done } = await customers.bulk().insert(readCustomers()) // rejects if any of them failed
   * ```
   */
  bulk(
    options: BulkOptions<Entity> = {},
  ): BulkWriter<Entity, Input, Key, TableWrite<Entity, Input, Key>> {
    const where = `bulk of table ${this.name}`
    bulkOptions.check(options, where)
    return new BulkWriter(this.#bulkParts(options, where))
  }

  /**
   * Returns a writer that collects entities that come one by one, such as log entries, and writes them
   * together. Close it at the end.
   *
   * @param options - also `maxOperations`, `maxBytes` and `maxAge`, which decide when it writes
   * @throws InputError with the code `UnknownOption` or `InvalidOptionValue`
   *
   * @example
   * ```ts
   * const log = entries.buffered({ maxAge: 2_000 })
   * await log.insert({ day: '2026-11-22', id: newId(), text: 'started' })
   * await log.close()
   * ```
   */
  buffered(
    options: BufferOptions<Entity> = {},
  ): BufferedWriter<Entity, Input, Key, TableWrite<Entity, Input, Key>> {
    const where = `buffered of table ${this.name}`
    bufferOptions.check(options, where)
    return new BufferedWriter(this.#bulkParts(options, where), options)
  }

  /**
   * Deletes all rows of a partition, in transactions. It reads only keys and ETags, so it also deletes rows
   * of other types and rows that the model cannot read. It rejects the table of a model with other rows that belong to its entities, such
   * as index entries: use `query().where(…).deleteAll()` there.
   *
   * Requests: `pages + transactions`: a page has up to 1,000 rows, a transaction up to 100.
   *
   * @param partitionKey - PartitionKey as it is stored
   * @param options - also `etag: '*'`, to delete rows that changed since they were read
   * @returns a run, which begins when it is awaited or iterated over
   *
   * @example
   * ```ts
   * const { done } = await customers.deletePartition('Smith')
   * ```
   */
  deletePartition(partitionKey: string, options: DeleteAllOptions = {}): BulkRun<RawEntity> {
    this.parts.within?.checkKey({ partitionKey })
    const inPartition = openRawQuery(this.parts, this.rawRows).where({ partitionKey })
    return inPartition.allowPartitionScan().deleteAll(options)
  }

  /**
   * Restricts a table to the rows whose keys have some properties fixed, such as those of one tenant. Keys and entities need these
   * properties no more: objects that are written get them. Reads, queries, batches, bulk writes and deletes stay inside, and a key of
   * another row is rejected before anything is sent. Index rows, counts and other rows beside an entity are in its partition.
   * Nothing is sent.
   *
   * @param values - the first properties of the PartitionKey, or all of them
   * @throws InputError (`InvalidOptionValue`) for other properties, and for a table without a model
   * @throws InputError (`OutsideWithin`), from its methods, for a row outside
   *
   * @example
   * ```ts
   * const acme = account.table(Invoice).within({ tenant: 'acme' })
   * await acme.insert({ no: 1, total: 10 })
   * const invoice = await acme.get({ no: 1 })
   * ```
   */
  within<Name extends keyof Key & string>(
    values: {
      readonly [Fixed in Name]: NonNullable<Key[Fixed]>
    },
  ): TableWithin<Entity, Input, Key, Name> {
    const within = partsWithin(this.parts as TableParts<Entity>, values)
    return new Table(within) as unknown as TableWithin<Entity, Input, Key, Name>
  }

  /**
   * Deletes all rows of a table from {@link Table.within}, in transactions: entities of all types, index rows, counts, messages and
   * markers of exact writes that are older than 10 minutes. Run it while no program writes these rows.
   *
   * A model may have more elsewhere: entries and copies in other partitions, large values in a store, messages for other systems. Then
   * the entities are deleted first, as single deletes do it, the handlers of their messages run in this call, and then all other rows are
   * deleted. If a handler fails, the run ends with that error, and may be called again. This holds for the types of the table: where several
   * types share it, open it with their union.
   *
   * Requests: `pages + transactions`: a page has up to 1,000 rows, a transaction up to 100 of a partition. Models with more elsewhere need
   * those of single deletes, too.
   *
   * @param options - also `etag: '*'`, to delete rows that changed since they were read
   * @returns a run, which begins when it is awaited or iterated over
   * @throws InputError (`InvalidOptionValue`) for a table without fixed properties: see {@link Table.drop}
   *
   * @example
   * ```ts
   * const { done } = await account.table(Invoice).within({ tenant: 'acme' }).deleteAll()
   * ```
   */
  deleteAll(options: DeleteAllOptions = {}): BulkRun<RawEntity> {
    const { within } = this.parts
    if (within === undefined) {
      throw invalidOption(
        `deleteAll of table ${this.name} needs fixed properties: within({ … }). To delete the table and everything in it, use drop().`,
      )
    }
    return deleteWithin({ ...(this.parts as unknown as TableParts<object>), within }, options)
  }

  /**
   * Copies all rows of the table to another table, also of another account: see {@link TableQuery.copyTo}.
   * Rows of other types are copied too; a query copies some of them.
   *
   * Requests: `pages + transactions`: a page has up to 1,000 rows, a transaction up to 100 of a partition.
   *
   * @param destination - a table that exists
   * @param options - also `mode`, how rows are written, and `onConflict`
   * @returns a run, which begins when it is awaited or iterated over
   * @throws InputError with the code `InvalidOptionValue` when the destination is the same table
   *
   * @example
   * ```ts
   * await customers.copyTo(backup.table('customers'), { concurrency: 32 })
   * ```
   */
  copyTo(destination: CopyDestination, options: CopyOptions = {}): BulkRun<RawEntity> {
    return openRawQuery(this.parts, this.rawRows).allowTableScan().copyTo(destination, options)
  }

  /**
   * Reads an entity, lets a function change it, and writes the changes if the entity has not changed in
   * between. After a conflict it waits, reads the entity again and calls the function again. The wait is
   * random: up to 50 ms at first, then up to twice as long each time, and at most 2 s.
   *
   * The changes are merged. When a property lost its value, which a merge cannot express, the entity is
   * replaced. Nothing is written when nothing changed.
   *
   * The function is never applied to its own result. When the response to the write is lost and the stored
   * entity does not show its outcome, the call rejects with an `AmbiguousWriteError`.
   *
   * Requests: `attempts * (changed ? 2 : 1)`, less for calls that are made together.
   *
   * @param target - the key of the entity
   * @param modifier - changes its argument; may be asynchronous. It may run several times, each time with
   * a new object, so it should have no other effects. If it throws, the call rejects and nothing is written
   * @param options - also `attempts`, how often to try, and `orInsert`, the entity to insert when it is
   * missing. A `deadline` covers all attempts together. The entity is always read at the primary location
   * @returns the entity as it is stored now. Calls of this process for one row follow one another; those that wait meanwhile are made
   * together, by one read and one write, and each of them returns what is stored after all of them
   * @throws EntityNotFoundError when the entity does not exist and `orInsert` is absent
   * @throws `ModifyConflictError` when the entity changed in between in every attempt
   * @throws InputError (`ChangedKey`) when the function changed the key
   *
   * @example
   * ```ts
   * await customers.modify(['Smith', 'Jeff'], (jeff) => {
   *   jeff.points = (jeff.points ?? 0n) + 1n
   * })
   * ```
   */
  async modify(
    target: EntityTarget | Key | KeyRule,
    modifier: EntityModifier<Entity>,
    options: ModifyOptions<Input> = {},
  ): Promise<Entity> {
    return modifyTarget(this.writes, target, modifier, options)
  }

  /**
   * Reads an entity again, into the same object. Unwritten changes are lost, and a property that is no
   * longer stored gets the value of a new object. Members that the class does not store keep their values.
   *
   * Requests: `1`.
   *
   * @returns whether the entity changed since the object was last read or written, by its ETag. Also true
   * for an object without an ETag
   * @throws EntityNotFoundError when the entity no longer exists
   * @throws InputError (`ChangedKey`) when the object's key changed since it was read
   *
   * @example
   * ```ts
   * if (await customers.reload(jeff)) show(jeff)
   * ```
   */
  async reload(entity: Entity, options: CallOptions = {}): Promise<boolean> {
    return reloadEntity(this.parts, entity, this.#call('reload', options))
  }

  /**
   * Executes an operation that was made as a value. It works as the method of the same name, with the
   * entity as it is now, and may be executed again.
   *
   * Requests: `1`, or none for a merge that changes nothing.
   *
   * @param operation - from {@link Operation}
   * @returns the entity's ETag and the entity: the object that was written, or the entity that was
   * retrieved; `undefined` when it is missing, and after a delete
   *
   * @example
   * ```ts
   * const { etag, entity } = await customers.execute(Operation.insertOrMerge(jeff))
   * ```
   */
  async execute<Given extends TableOperation<Entity, Input, Key>>(
    operation: Given,
    options?: CallOptions,
  ): Promise<ResultOf<Given, Entity>>
  /**
   * Executes several operations on one partition in one transaction: all are applied, or none. A retrieve
   * must be the only operation.
   *
   * Requests: `1`.
   *
   * @param operations - 1 to 100, each on another entity, from {@link Operation}
   * @returns the result of each operation, in order
   * @throws InputError (`InvalidBatch`) for operations that a transaction cannot hold; nothing is sent
   * @throws BatchError when the service rejected one operation, and with it all; `index` names it
   *
   * @example
   * ```ts
   * const [inserted, removed] = await customers.execute([Operation.insert(jeff), Operation.delete(ben)])
   * inserted.entity // Customer
   * removed.entity // undefined
   * ```
   */
  async execute<const Given extends readonly TableOperation<Entity, Input, Key>[]>(
    operations: Given,
    options?: CallOptions,
  ): Promise<ResultsOf<Given, Entity>>
  async execute(
    operations: AnyOperation | readonly AnyOperation[],
    options: CallOptions = {},
  ): Promise<unknown> {
    return execute(operations, this.writes, options)
  }

  /**
   * The stored access policies of the table, which shared access signatures may refer to. Nothing
   * is sent.
   */
  get accessPolicies(): AccessPolicies {
    this.#checkWhole('accessPolicies')
    return new AccessPolicies(this.parts.service, this.name)
  }

  /**
   * Creates the table.
   *
   * Requests: `1`, and more while `waitForDeletion` waits.
   *
   * @param options - also `waitForDeletion`, for the name of a table that was just dropped
   * @throws TableAlreadyExistsError when the table exists
   * @throws ServiceError with the code `TableBeingDeleted` while a table of the same name is still deleted
   *
   * @example
   * ```ts
   * await customers.drop()
   * await customers.create({ waitForDeletion: true })
   * ```
   */
  async create(options: CreateOptions = {}): Promise<void> {
    await this.#create('create', createTable, options)
  }

  /**
   * Creates the table unless it exists.
   *
   * Requests: `1`, and more while `waitForDeletion` waits.
   *
   * @param options - also `waitForDeletion`, for the name of a table that was just dropped
   * @returns true when the table was created, false when it existed
   * @throws ServiceError with the code `TableBeingDeleted` while a table of the same name is still deleted
   */
  async createIfNotExists(options: CreateOptions = {}): Promise<boolean> {
    return this.#create('createIfNotExists', createTableIfNotExists, options)
  }

  /**
   * Deletes the table and everything in it. Its name stays reserved for a while.
   *
   * Requests: `1`.
   *
   * @throws TableNotFoundError when the table does not exist
   */
  async drop(options: CallOptions = {}): Promise<void> {
    this.#checkWhole('drop')
    await this.#call('drop', options).perform(deleteTable, { table: this.name })
  }

  /**
   * Deletes the table and everything in it, if it exists.
   *
   * Requests: `1`.
   *
   * @returns true when the table was deleted, false when it did not exist
   */
  async dropIfExists(options: CallOptions = {}): Promise<boolean> {
    this.#checkWhole('dropIfExists')
    return this.#call('dropIfExists', options).perform(deleteTableIfExists, { table: this.name })
  }

  /**
   * Deletes the old markers of exact writes: see `exactWrites`. A program that uses them runs this now and
   * then, for example once a day.
   *
   * Requests: `pages + transactions`: a page has up to 1,000 markers, a transaction up to 100 of a partition.
   *
   * @param options - also `olderThan`: by default 24 hours in milliseconds
   * @returns how many markers were deleted
   * @throws InputError (`InvalidOptionValue`) for an age below 10 minutes
   */
  async sweepMarkers(options: SweepOptions = {}): Promise<number> {
    const { within, service } = this.parts
    return sweepMarkers(service, this.name, options, within && printFilter(within.condition))
  }

  /**
   * Tells whether an entity exists. Only its key and its type are read; a row of another type is an error, as for get.
   *
   * Requests: `1`.
   *
   * @param target - its key, as for {@link Table.get}
   * @returns `false` for a missing entity; a missing table is an error, except on Cosmos DB, which does
   * not tell the two apart
   * @throws InputError for a key that is `undefined`; only `exists()` asks for the table
   *
   * @example
   * ```ts
   * if (await customers.exists(['Smith', 'Jeff'])) console.log('Jeff is a customer')
   * ```
   */
  async exists(target: EntityTarget | Key | KeyRule, options?: CallOptions): Promise<boolean>
  /**
   * Tells whether the account lists a table of exactly this name, including case. Where reads may use both
   * locations, the primary is asked before the table counts as missing, because the secondary lags behind.
   *
   * Requests: `1`, or 2 where reads may use both locations.
   */
  async exists(options?: CallOptions): Promise<boolean>
  async exists(
    ...given: readonly [target?: EntityTarget | Key | CallOptions | KeyRule, options?: CallOptions]
  ): Promise<boolean> {
    const [target = {}, options] = given
    if (options !== undefined) return entityExists(this.parts, target, options)
    // A key that is missing by mistake must not ask for the table.
    if (given.length > 0 && given[0] === undefined) return onlyExists(this.parts, undefined)
    if (!isCallOptions(target, this.parts.queryModel)) return onlyExists(this.parts, target)
    callOptions.check(target, `exists of table ${this.name}`)
    return tableExists(this.parts.service, this.name, target)
  }

  /**
   * Makes a shared access signature for this table, or for a range of its keys. Nothing is sent.
   *
   * @param terms - what it allows, and until when. It allows only https, unless the account itself uses
   * plain http
   * @throws InputError (`AccountKeyRequired`) when the account was opened without its key
   * @throws InputError (`InvalidSas`) for terms that the service would always reject
   *
   * @example
   * ```ts
   * const expiry = new Date(Date.now() + 3_600_000)
   * const { token } = customers.sas({ permissions: 'r', expiry, from: { partitionKey: 'Smith' } })
   * ```
   */
  sas(terms: TableSasTerms): SharedAccessSignature {
    const where = `sas of table ${this.name}`
    tableSasTerms.check(terms, where)
    const { service, within } = this.parts
    if (within && (terms.from ?? terms.to) !== undefined) {
      throw within.outside(`${where}: from and to could name keys outside`)
    }
    const { flavour } = service.endpoint
    const granted = { ...terms, ...within?.range, ...sasTermsOf(service, terms) }
    return tableSas({ ...granted, table: this.name, flavour })
  }

  async #write(
    kind: 'replace' | 'insertOrMerge' | 'insertOrReplace',
    entity: Entity | Input,
    options: WriteOptions,
  ): Promise<Entity> {
    const declared = kind === 'replace' ? writeOptions : callOptions
    declared.check(options, `${kind} of table ${this.name}`)
    const { etag, ...rest } = options
    const write = this.writes.of(entity)[kind](entity, etag)
    await this.writes.send(write, this.#call(kind, rest))
    return this.#written(write)
  }

  #deletion(
    target: unknown,
    options: WriteOptions,
    method: string,
  ): { readonly write: Write; readonly call: Call } {
    const where = `${method} of table ${this.name}`
    checkOneKey(options, where)
    writeOptions.check(options, where)
    const { etag, ...rest } = options
    const write = this.writes.ofKey(target).delete(target, etag)
    return { write, call: this.#call(method, rest) }
  }

  #call(method: string, options: CallOptions): Call {
    return callOf(this.parts.service, options, `${method} of table ${this.name}`)
  }

  #checkWhole(method: string): void {
    const { within } = this.parts
    if (within) throw within.outside(`${method} of table ${this.name} is about more than`)
  }

  /** Returns the object that was written, or what was stored if the object cannot be assigned to. */
  #written(write: Write): Entity {
    return writtenEntity(write, this.parts) as Entity
  }

  #bulkParts(options: BulkOptions<Entity>, where: string): BulkWriterParts {
    return {
      target: bulkTarget(this.writes),
      settings: bulkSettings(options, where),
      toOperation: (value) => checkedWrite(value, where, this.parts.assignType),
    }
  }

  #create<Output>(
    method: string,
    operation: Operation<TableAddress, Output>,
    options: CreateOptions,
  ): Promise<Awaited<Output>> {
    const where = `${method} of table ${this.name}`
    createOptions.check(options, where)
    return createWaiting(this.parts.service, operation, this.name, where, options)
  }
}

/** Each of some types without fixed properties; a DynamicEntity has none. */
type Unfixed<Given, Name extends PropertyKey> = Given extends DynamicEntity
  ? Given
  : Omit<Given, Name>

/**
 * The rows of a table whose keys have fixed properties, from {@link Table.within}. The types have these properties no more.
 *
 * @example
 * ```ts
 * type Acme = TableWithin<Invoice, Invoice, InvoiceKey, 'tenant'>
 * ```
 */
export type TableWithin<
  Entity extends object,
  Input extends object,
  Key extends object,
  Name extends PropertyKey,
> = Omit<
  Table<Unfixed<Entity, Name>, Unfixed<Input, Name>, Unfixed<Key, Name>>,
  | 'accessPolicies'
  | 'create'
  | 'createIfNotExists'
  | 'deletePartition'
  | 'drop'
  | 'dropIfExists'
  | 'sas'
  | 'within'
> & {
  /**
   * Makes a shared access signature for these rows: see {@link Table.sas}.
   *
   * @param terms - what it allows, and until when
   */
  sas(terms: Omit<TableSasTerms, 'from' | 'to'>): ReturnType<Table<object>['sas']>
}
