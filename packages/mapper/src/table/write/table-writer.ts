import type { DeclaredOptions, EntityKey } from '@rowkey/odata'
import { type CallOptions, callOptions, updateEntity, type WriteResult } from '@rowkey/rest'
import { BufferedWriter } from '../../bulk/buffered-writer.ts'
import {
  type BufferOptions,
  type BulkOptions,
  bufferOptions,
  bufferSettings,
  bulkOptions,
  bulkSettings,
} from '../../bulk/bulk-options.ts'
import type { BulkTarget } from '../../bulk/bulk-target.ts'
import { BulkWriter, type BulkWriterParts } from '../../bulk/bulk-writer.ts'
import type { EntityShape } from '../../codec/entity-shape.ts'
import type { Mapping } from '../../layers/mapping.ts'
import type { LiveInsert } from '../../model/row-lifetime.ts'
import {
  type InsertOptions,
  insertOptions,
  type WriteOptions,
  writeOptions,
} from '../../options/write-options.ts'
import { checkOneKey, type EntityTarget, targetKey } from '../entity-target.ts'
import { type Keeping, keepingOf } from '../keep/keeping.ts'
import { checkOperation, toBulkOperation } from '../operation/check-operation.ts'
import { executeOperation, executeOperations } from '../operation/execute-operation.ts'
import type { AnyOperation } from '../operation/operation.ts'
import type { RowReader } from '../read/row-reader.ts'
import type { TableParts } from '../table-parts.ts'
import { Batch, type WriteParts } from './batch.ts'
import { BoundSender } from './bound-sender.ts'
import { bulkTarget } from './bulk-table.ts'
import { ChangeSender } from './change-sender.ts'
import type { EntityChange, WriteSender } from './entity-change.ts'
import { EntityChanges } from './entity-changes.ts'
import { type EntityModifier, type ModifyOptions, modifyTarget } from './modify-entity.ts'
import { reloadEntity } from './reload-entity.ts'
import { writtenEntity } from './written-entity.ts'

/** Writes the entities of one table, alone and in batches; {@link Table} documents its methods. */
export class TableWriter<Entity extends object> {
  readonly #parts: TableParts<Entity>
  /** The parts that its batches use. */
  readonly writeParts: WriteParts<Entity>

  /**
   * @param parts - the table
   * @param rows - reads its rows
   */
  constructor(parts: TableParts<Entity>, rows: RowReader<Entity>) {
    const { service, name, origin, mapping, lifetime } = parts
    const softDelete = (key: EntityKey) => lifetime?.deletion?.(key, service.now())
    this.#parts = parts
    this.writeParts = {
      rows,
      changes: new EntityChanges<object>(
        name,
        origin,
        mapping as unknown as Mapping<object>,
        softDelete,
      ),
      lifetime,
      isHidden: (raw) => lifetime?.isHidden(raw, service.now()) ?? false,
      sender: senderOf(parts),
    }
  }

  /** Stores a new entity. */
  async insert(entity: object, options: InsertOptions): Promise<Entity> {
    this.#check(options, insertOptions, 'insert')
    const { echo, ...call } = options
    const change = this.writeParts.changes.insert(entity, echo)
    const result = await this.#insert(change, call)
    if (result.raw !== undefined) return this.writeParts.rows.read(result.raw, result.etag)
    return this.#written(change)
  }

  /** Sends an insert, over an expired row if the model has a lifetime. */
  #insert(change: EntityChange<object>, options: CallOptions): Promise<WriteResult> {
    const { service, lifetime } = this.#parts
    const { sender } = this.writeParts
    const { input } = change
    if (lifetime === undefined) return sender.send(change, options)
    const insert: LiveInsert = {
      service,
      input: { table: input.table, key: input.key },
      send: (call) => sender.send(change, call),
      replace: (etag, call) => sender.send(toReplace(change, etag), call),
    }
    return lifetime.insert(insert, options)
  }

  /** Sends the properties that changed; returns the object that was written. */
  async merge(entity: object, options: WriteOptions): Promise<object> {
    this.#check(options, writeOptions, 'merge')
    const { etag, ...call } = options
    const change = this.writeParts.changes.merge(entity, etag)
    if (change !== undefined) await this.writeParts.sender.send(change, call)
    return change?.entity ?? entity
  }

  /** Replaces the stored entity. */
  async replace(entity: object, options: WriteOptions): Promise<Entity> {
    this.#check(options, writeOptions, 'replace')
    const { etag, ...call } = options
    return this.#write(this.writeParts.changes.replace(entity, etag), call)
  }

  /** Stores the entity, or merges it into the stored one. */
  async insertOrMerge(entity: object, options: CallOptions): Promise<Entity> {
    this.#check(options, callOptions, 'insertOrMerge')
    return this.#write(this.writeParts.changes.insertOrMerge(entity), options)
  }

  /** Stores the entity, or replaces the stored one. */
  async insertOrReplace(entity: object, options: CallOptions): Promise<Entity> {
    this.#check(options, callOptions, 'insertOrReplace')
    return this.#write(this.writeParts.changes.insertOrReplace(entity), options)
  }

  /** Deletes one entity. */
  async delete(target: EntityTarget | object, options: WriteOptions): Promise<void> {
    const { change, call } = this.#deletion(target, options, 'delete')
    await this.writeParts.sender.send(change, call)
  }

  /** Deletes one entity if it exists. */
  async deleteIfExists(target: EntityTarget | object, options: WriteOptions): Promise<boolean> {
    const { change, call } = this.#deletion(target, options, 'deleteIfExists')
    return this.writeParts.sender.deleteIfExists(change, call)
  }

  #deletion(
    target: EntityTarget | object,
    options: WriteOptions,
    method: string,
  ): { readonly change: EntityChange<object>; readonly call: CallOptions } {
    checkOneKey(options, `${method} of table ${this.#parts.name}`)
    this.#check(options, writeOptions, method)
    const { etag, ...call } = options
    return { change: this.writeParts.changes.delete(target, etag), call }
  }

  /** Returns a new batch. */
  batch<Input extends object, Key extends object>(): Batch<Entity, Input, Key> {
    return new Batch<Entity, Input, Key>(this.writeParts)
  }

  /** Returns a writer of any number of entities. */
  bulk<Input extends object, Key extends object, Operation extends object>(
    options: BulkOptions<Entity>,
  ): BulkWriter<Entity, Input, Key, Operation> {
    const where = `bulk of table ${this.#parts.name}`
    bulkOptions.check(options, where)
    return new BulkWriter(this.#bulkParts(options, where))
  }

  /** Returns a writer that collects entities. */
  buffered<Input extends object, Key extends object, Operation extends object>(
    options: BufferOptions<Entity>,
  ): BufferedWriter<Entity, Input, Key, Operation> {
    const where = `buffered of table ${this.#parts.name}`
    bufferOptions.check(options, where)
    const { flush, bulk } = bufferSettings(options)
    const parts = { ...this.#bulkParts(bulk, where), flush }
    return new BufferedWriter(parts, (given) => toBulkOperation(this.#untyped(given), where))
  }

  /** Returns the table as a bulk writer needs it. */
  bulkTarget(): BulkTarget {
    return bulkTarget(this.#parts, this.writeParts)
  }

  #bulkParts(options: BulkOptions<Entity>, where: string): BulkWriterParts {
    const settings = bulkSettings(options, where)
    const { name: table, service } = this.#parts
    return { service, table, target: this.bulkTarget(), settings }
  }

  /** Reads an entity, lets a function change it, and writes the changes. */
  async modify(
    target: EntityTarget | object,
    modifier: EntityModifier<Entity>,
    options: ModifyOptions,
  ): Promise<Entity> {
    const { service, mapping, name } = this.#parts
    checkOneKey(modifier, `modify of table ${name}`)
    const key = targetKey(target, mapping)
    return service.pendingCalls.runSeries(options, (call) =>
      modifyTarget({ ...this.writeParts, service }, { key, modifier }, call),
    )
  }

  /** Reads an entity again, into the same object, and returns whether its ETag changed. */
  async reload(entity: Entity, options: CallOptions): Promise<boolean> {
    this.#check(options, callOptions, 'reload')
    const { service, name: table, mapping, origin, lifetime } = this.#parts
    const { rows } = this.writeParts
    return reloadEntity({ service, lifetime, mapping, origin, rows, table, entity }, options)
  }

  /** Executes one operation, or several in one transaction. */
  async execute(
    operations: AnyOperation | readonly AnyOperation[],
    options: CallOptions,
  ): Promise<unknown> {
    this.#check(options, callOptions, 'execute')
    const { service, name } = this.#parts
    const isList = Array.isArray(operations)
    const list = (isList ? operations : [operations]).map((given) => {
      const operation = this.#untyped(given)
      checkOperation(operation, `execute of table ${name}`)
      return operation
    })
    const table = { ...this.writeParts, service }
    return isList
      ? executeOperations(list, table, options)
      : executeOperation(list[0] as AnyOperation, table, options)
  }

  /** Removes the type from an operation on the table of a union. */
  #untyped(operation: unknown): unknown {
    const { untyped } = this.#parts
    return untyped === undefined ? operation : untyped(operation)
  }

  async #write(change: EntityChange<object>, options: CallOptions): Promise<Entity> {
    await this.writeParts.sender.send(change, options)
    return this.#written(change)
  }

  /** Returns the object that was written, or what was stored if the object cannot be assigned to. */
  #written(change: EntityChange<object>): Entity {
    return writtenEntity(change, this.writeParts.rows) as Entity
  }

  #check<Options>(options: Options, declared: DeclaredOptions<Options>, method: string): void {
    declared.check(options, `${method} of table ${this.#parts.name}`)
  }
}

/** Makes an insert a replace of the row with an ETag: it stores the entity as it was when the insert was called. */
function toReplace(insert: EntityChange<object>, etag: string): EntityChange<object> {
  const { input, write } = insert
  return {
    ...insert,
    operation: updateEntity,
    input: { ...input, etag },
    write: write && { ...write, onto: etag },
  }
}

/**
 * Returns what sends the writes of a table, bound to their rows where that matters. Each write asks the model for its keepers, and stores
 * what they add.
 */
function senderOf<Entity extends object>(parts: TableParts<Entity>): WriteSender<object> {
  const { service, name: table, origin, opener, mapping, kept } = parts
  const bound = {
    service,
    table,
    origin,
    sender: new ChangeSender(service, table, mapping.shape as EntityShape<object>),
  }
  let last: Keeping | undefined
  let sender: WriteSender<object> = new BoundSender(bound)
  const current = (): WriteSender<object> => {
    const keeping = keepingOf(kept)
    if (keeping !== undefined && keeping !== last)
      sender = keeping.sender({ ...bound, account: opener })
    last = keeping
    return sender
  }
  return {
    send: (change, options) => current().send(change, options),
    deleteIfExists: (change, options) => current().deleteIfExists(change, options),
    sendAll: (changes, options, companions) => current().sendAll(changes, options, companions),
    bytesOf: (changes) => current().bytesOf(changes),
  }
}
