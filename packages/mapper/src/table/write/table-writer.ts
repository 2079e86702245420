import type { EntityKey } from '@rowkey/odata'
import {
  type CallOptions,
  changeBytes,
  changeSetLimits,
  checkOptions,
  deleteEntity,
  deleteEntityIfExists,
  EntityNotFoundError,
  type EntityWrite,
  type Operation,
  perform,
  type TableService,
  type WriteResult,
} from '@rowkey/rest'
import { BufferedWriter } from '../../bulk/buffered-writer.ts'
import {
  type BufferOptions,
  type BulkOptions,
  bufferSettings,
  bulkSettings,
} from '../../bulk/bulk-options.ts'
import type { BulkOperation, BulkTarget } from '../../bulk/bulk-target.ts'
import { BulkWriter, type BulkWriterParts } from '../../bulk/bulk-writer.ts'
import type { RowCodec } from '../../codec/row-codec.ts'
import { WriteInFlight } from '../../snapshot/writes-in-flight.ts'
import { CALL_OPTION_NAMES } from '../call-options.ts'
import { checkOneKey, type EntityTarget, targetKey } from '../entity-target.ts'
import {
  bulkChange,
  bulkOperation,
  checkOperation,
  executeOperation,
  executeOperations,
} from '../operation/execute-operation.ts'
import type { AnyOperation } from '../operation/operation.ts'
import type { RowReader } from '../read/row-reader.ts'
import type { TableParts } from '../table-parts.ts'
import { Batch, type WriteParts } from './batch.ts'
import {
  type EntityChange,
  EntityChanges,
  type WriteSender,
  writtenEntity,
} from './entity-changes.ts'
import type { EntityModifier, ModifyOptions } from './modify-entity.ts'
import {
  INSERT_OPTION_NAMES,
  type InsertOptions,
  WRITE_OPTION_NAMES,
  type WriteOptions,
} from './write-options.ts'

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
    const { service, name, origin, codec, lifetime } = parts
    const softDelete = (key: EntityKey) => lifetime?.deletion?.(key, service.now())
    this.#parts = parts
    this.writeParts = {
      rows,
      changes: new EntityChanges<object>(name, origin, codec as RowCodec<object>, softDelete),
      lifetime,
      isHidden: (raw) => lifetime?.isHidden(raw, service.now()) ?? false,
      sender: senderOf(parts),
    }
  }

  /** Stores a new entity. */
  async insert(entity: object, options: InsertOptions): Promise<Entity> {
    this.#check(options, INSERT_OPTION_NAMES, 'insert')
    const { echo, ...call } = options
    const change = this.writeParts.changes.insert(entity, echo)
    const result = await this.#insert(change, call)
    if (result.raw !== undefined) return this.writeParts.rows.read(result.raw, result.etag)
    return writtenEntity(change, this.writeParts.rows) as Entity
  }

  /** Sends an insert, over an expired row if the model has a lifetime. */
  #insert(change: EntityChange<object>, options: CallOptions): Promise<WriteResult> {
    const { service, lifetime } = this.#parts
    const { sender, changes } = this.writeParts
    const { entity, input } = change
    if (lifetime === undefined || entity === undefined) return sender.send(change, options)
    const { table, key } = input
    return service.pendingCalls.runSeries(options, (call) => {
      const again = () => sender.send(change, call)
      const replace = (etag: string) => sender.send(changes.replace(entity, etag), call)
      const insert = { service, input: { table, key }, options: call, again, replace }
      return again().catch((error: unknown) => lifetime.insertOver(error, insert))
    })
  }

  /** Sends the properties that changed; returns the object that was written. */
  async merge(entity: object, options: WriteOptions): Promise<object> {
    this.#check(options, WRITE_OPTION_NAMES, 'merge')
    const { etag, ...call } = options
    const change = this.writeParts.changes.merge(entity, etag)
    if (change !== undefined) await this.writeParts.sender.send(change, call)
    return change?.entity ?? entity
  }

  /** Replaces the stored entity. */
  async replace(entity: object, options: WriteOptions): Promise<Entity> {
    this.#check(options, WRITE_OPTION_NAMES, 'replace')
    const { etag, ...call } = options
    return this.#write(this.writeParts.changes.replace(entity, etag), call)
  }

  /** Stores the entity, or merges it into the stored one. */
  async insertOrMerge(entity: object, options: CallOptions): Promise<Entity> {
    this.#check(options, CALL_OPTION_NAMES, 'insertOrMerge')
    return this.#write(this.writeParts.changes.insertOrMerge(entity), options)
  }

  /** Stores the entity, or replaces the stored one. */
  async insertOrReplace(entity: object, options: CallOptions): Promise<Entity> {
    this.#check(options, CALL_OPTION_NAMES, 'insertOrReplace')
    return this.#write(this.writeParts.changes.insertOrReplace(entity), options)
  }

  /** Deletes one entity. */
  async delete(target: EntityTarget | object, options: WriteOptions): Promise<void> {
    checkOneKey(options, `delete of table ${this.#parts.name}`)
    this.#check(options, WRITE_OPTION_NAMES, 'delete')
    const { etag, ...call } = options
    await this.writeParts.sender.send(this.writeParts.changes.delete(target, etag), call)
  }

  /** Deletes one entity if it exists. */
  async deleteIfExists(target: EntityTarget | object, options: WriteOptions): Promise<boolean> {
    checkOneKey(options, `deleteIfExists of table ${this.#parts.name}`)
    this.#check(options, WRITE_OPTION_NAMES, 'deleteIfExists')
    const { etag, ...call } = options
    const change = this.writeParts.changes.delete(target, etag)
    if (change.operation === deleteEntity)
      return this.writeParts.sender.deleteIfExists(change, call)
    try {
      await this.writeParts.sender.send(change, call)
      return true
    } catch (error) {
      if (error instanceof EntityNotFoundError) return false
      throw error
    }
  }

  /** Returns a new batch. */
  batch<Input extends object, Key extends object>(): Batch<Entity, Input, Key> {
    return new Batch<Entity, Input, Key>(this.writeParts)
  }

  /**
   * Returns a writer of any number of entities.
   *
   * @param options - the caller's options
   * @param untyped - removes the type from an operation on the table of a union
   */
  bulk<Input extends object, Key extends object, Operation extends object>(
    options: BulkOptions<Entity>,
    untyped: (operation: unknown) => unknown = (operation) => operation,
  ): BulkWriter<Entity, Input, Key, Operation> {
    return new BulkWriter(this.#bulkParts(options, 'bulk', untyped))
  }

  /**
   * Returns a writer that collects entities.
   *
   * @param options - the caller's options
   * @param untyped - removes the type from an operation on the table of a union
   */
  buffered<Input extends object, Key extends object, Operation extends object>(
    options: BufferOptions<Entity>,
    untyped: (operation: unknown) => unknown = (operation) => operation,
  ): BufferedWriter<Entity, Input, Key, Operation> {
    const { flush, bulk } = bufferSettings(options, `buffered of table ${this.#parts.name}`)
    const change = (operation: BulkOperation) => bulkChange(operation, this.writeParts.changes)
    return new BufferedWriter({
      ...this.#bulkParts(bulk, 'buffered', untyped),
      flush,
      change,
    })
  }

  /** Loads the table as a bulk writer needs it. */
  readonly bulkTarget = async (): Promise<BulkTarget> => {
    const { bulkTarget } = await import('./bulk-table.ts')
    return bulkTarget(this.#parts, this.writeParts)
  }

  #bulkParts(
    options: BulkOptions<Entity>,
    method: string,
    untyped: (operation: unknown) => unknown,
  ): BulkWriterParts {
    const where = `${method} of table ${this.#parts.name}`
    const settings = bulkSettings(options, CALL_OPTION_NAMES, where)
    const { name: table, service } = this.#parts
    service.withDeadline(settings.call) // checks the options of calls
    const toOperation = (given: unknown) => bulkOperation(untyped(given), where)
    return { service, table, target: this.bulkTarget, settings, toOperation }
  }

  /** Reads an entity, lets a function change it, and writes the changes. */
  async modify(
    target: EntityTarget | object,
    modifier: EntityModifier<Entity>,
    options: ModifyOptions,
  ): Promise<Entity> {
    const { service, codec, name } = this.#parts
    checkOneKey(modifier, `modify of table ${name}`)
    // The caller may change the target while the code is loaded.
    const key = targetKey(target, codec)
    return service.pendingCalls.runSeries(options, async (call) => {
      const { modifyTarget } = await import('./modify-entity.ts')
      return modifyTarget({ ...this.writeParts, service }, { key, modifier }, call)
    })
  }

  /** Reads an entity again, into the same object, and returns whether its ETag changed. */
  async reload(entity: Entity, options: CallOptions): Promise<boolean> {
    this.#check(options, CALL_OPTION_NAMES, 'reload')
    const { service, name: table, codec, origin, lifetime } = this.#parts
    const { rows } = this.writeParts
    return service.pendingCalls.runSeries(options, async (call) => {
      const { reloadEntity } = await import('./reload-entity.ts')
      return reloadEntity({ service, lifetime, codec, origin, rows, table, entity }, call)
    })
  }

  /** Executes one operation, or several in one transaction. */
  async execute(
    operations: AnyOperation | readonly AnyOperation[],
    options: CallOptions,
  ): Promise<unknown> {
    this.#check(options, CALL_OPTION_NAMES, 'execute')
    const { service, name, codec } = this.#parts
    const where = `execute of table ${name}`
    const table = { ...this.writeParts, service, codec }
    if (Array.isArray(operations)) {
      for (const operation of operations) checkOperation(operation, where)
      return executeOperations(operations as readonly AnyOperation[], table, options)
    }
    checkOperation(operations, where)
    return executeOperation(operations, table, options)
  }

  async #write(change: EntityChange<object>, options: CallOptions): Promise<Entity> {
    await this.writeParts.sender.send(change, options)
    return writtenEntity(change, this.writeParts.rows) as Entity
  }

  #check(options: object, names: readonly string[], method: string): void {
    checkOptions(options, names, `${method} of table ${this.#parts.name}`)
  }
}

/** Returns what sends the writes of a table, together with what its keepers store. */
function senderOf<Entity extends object>(parts: TableParts<Entity>): WriteSender<object> {
  const { service, name: table, origin, codec, keeping } = parts
  const sender = new ChangeSender<object>(service, table, codec as RowCodec<object>)
  return keeping?.sender({ service, table, origin, sender }) ?? sender
}

/** Sends the writes of one table, and updates the written objects. */
export class ChangeSender<Entity extends object> implements WriteSender<Entity> {
  readonly #service: TableService
  readonly #table: string
  readonly #codec: RowCodec<Entity>

  /**
   * @param service - the account of the table
   * @param table - the name of the table
   * @param codec - assigns new ETags to its entities
   */
  constructor(service: TableService, table: string, codec: RowCodec<Entity>) {
    this.#service = service
    this.#table = table
    this.#codec = codec
  }

  async send(change: EntityChange<Entity>, options: CallOptions): Promise<WriteResult> {
    return this.#sendAs(change.operation, change, options)
  }

  async deleteIfExists(change: EntityChange<Entity>, options: CallOptions): Promise<boolean> {
    return (await this.#sendAs(deleteEntityIfExists, change, options)).deleted
  }

  async sendAll(
    changes: readonly EntityChange<Entity>[],
    options: CallOptions,
  ): Promise<WriteResult[]> {
    const writes = changes.map((change) => this.#begin(change))
    const results = await this.#perform(changes, options).catch((error: unknown) => {
      for (const write of writes) write.failed(error)
      throw error
    })
    writes.forEach((write, index) => {
      write.applied(results[index] ?? {})
    })
    return results
  }

  async #perform(
    changes: readonly EntityChange<Entity>[],
    options: CallOptions,
  ): Promise<WriteResult[]> {
    return this.#service.pendingCalls.runSeries(options, async (call) => {
      const { performChangeSet } = await import('./perform-change-set.ts')
      return performChangeSet(this.#service, { table: this.#table, changes }, call)
    })
  }

  /** Counts the bytes of the request that sends changes together. */
  bytesOf(changes: readonly EntityChange<Entity>[]): number {
    const { endpoint } = this.#service
    const { envelope } = changeSetLimits(endpoint)
    return changes.reduce((bytes, change) => bytes + changeBytes(change, endpoint), envelope)
  }

  async #sendAs<Result extends WriteResult>(
    operation: Operation<EntityWrite, Result>,
    change: EntityChange<Entity>,
    options: CallOptions,
  ): Promise<Awaited<Result>> {
    const write = this.#begin(change)
    const work = perform(this.#service, operation, change.input, options)
    const result = await work.catch((error: unknown) => {
      write.failed(error)
      throw error
    })
    write.applied(result)
    return result
  }

  #begin({ entity, write }: EntityChange<Entity>): BegunChange {
    if (entity === undefined || write === undefined) return UNOBSERVED
    const inFlight = new WriteInFlight(write)
    return {
      applied: ({ etag }) => {
        const snapshot = inFlight.applied(etag)
        if (write.body !== undefined) this.#codec.showVersion(entity, snapshot?.etag)
      },
      failed: (error) => {
        const { mayHaveApplied }: { readonly mayHaveApplied?: unknown } = Object(error)
        if (mayHaveApplied === true) inFlight.uncertain()
        else inFlight.refused()
      },
    }
  }
}

/** A change that was sent and receives its outcome. */
interface BegunChange {
  applied(result: WriteResult): void
  failed(error: unknown): void
}

/** The observer of a change without an object. */
const UNOBSERVED: BegunChange = { applied() {}, failed() {} }
