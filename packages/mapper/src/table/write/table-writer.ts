import { type DeclaredOptions, type EntityKey, type InputError, invalidOption } from '@rowkey/odata'
import { type CallOptions, callOptions } from '@rowkey/rest'
import { BufferedWriter } from '../../bulk/buffered-writer.ts'
import {
  type BufferOptions,
  type BulkOptions,
  bufferOptions,
  bulkOptions,
  bulkSettings,
} from '../../bulk/bulk-options.ts'
import type { BulkTarget } from '../../bulk/bulk-target.ts'
import { BulkWriter, type BulkWriterParts } from '../../bulk/bulk-writer.ts'
import {
  type InsertOptions,
  insertOptions,
  type WriteOptions,
  writeOptions,
} from '../../options/write-options.ts'
import { checkOneKey, targetKey } from '../entity-target.ts'
import { keepingOf } from '../keep/keeping.ts'
import {
  type CheckedOperation,
  checkedOperation,
  checkedWrite,
} from '../operation/check-operation.ts'
import { executeOperation, executeOperations } from '../operation/execute-operation.ts'
import type { AnyOperation } from '../operation/operation.ts'
import { readRow } from '../read/read-row.ts'
import type { TableParts } from '../table-parts.ts'
import { Batch, type WriteParts } from './batch.ts'
import { bulkTarget } from './bulk-table.ts'
import type { EntityChange } from './entity-change.ts'
import { EntityChanges } from './entity-changes.ts'
import {
  type EntityModifier,
  type ModifyOptions,
  modifyEntity,
  modifyOptions,
} from './modify-entity.ts'
import { reloadEntity } from './reload-entity.ts'
import { sendInsert } from './send-insert.ts'
import { WriteSender } from './write-sender.ts'
import { writtenEntity } from './written-entity.ts'

/** Writes the entities of one table, alone and in batches; {@link Table} documents its methods. */
export class TableWriter<Entity extends object> {
  /** The table, as its batches use it. */
  readonly table: WriteParts<Entity>

  /** @param parts - the table */
  constructor(parts: TableParts<Entity>) {
    this.table = writePartsOf(parts)
  }

  /** Stores a new entity. */
  async insert(entity: object, options: InsertOptions): Promise<Entity> {
    this.#check(options, insertOptions, 'insert')
    const { echo, ...call } = options
    const made = this.table.changes.insert(entity)
    const change = echo ? { ...made, input: { ...made.input, echo } } : made
    const result = await sendInsert(change, this.table, call)
    if (result.raw !== undefined) return readRow(this.table, result.raw, result.etag)
    return this.#written(change)
  }

  /** Sends the properties that changed; returns the object that was written. */
  async merge(entity: object, options: WriteOptions): Promise<object> {
    this.#check(options, writeOptions, 'merge')
    const { etag, ...call } = options
    const change = this.table.changes.merge(entity, etag)
    if (change !== undefined) await this.table.sender.send(change, call)
    return change?.write?.entity ?? entity
  }

  /** Replaces the stored entity, or stores an entity whatever is stored. */
  async write(
    kind: 'replace' | 'insertOrMerge' | 'insertOrReplace',
    entity: object,
    options: WriteOptions,
  ): Promise<Entity> {
    this.#check(options, kind === 'replace' ? writeOptions : callOptions, kind)
    const { etag, ...call } = options
    const change = this.table.changes[kind](entity, etag)
    await this.table.sender.send(change, call)
    return this.#written(change)
  }

  /** Deletes one entity. */
  async delete(target: unknown, options: WriteOptions): Promise<void> {
    const { change, call } = this.#deletion(target, options, 'delete')
    await this.table.sender.send(change, call)
  }

  /** Deletes one entity if it exists. */
  async deleteIfExists(target: unknown, options: WriteOptions): Promise<boolean> {
    const { change, call } = this.#deletion(target, options, 'deleteIfExists')
    return this.table.sender.deleteIfExists(change, call)
  }

  #deletion(
    target: unknown,
    options: WriteOptions,
    method: string,
  ): { readonly change: EntityChange; readonly call: CallOptions } {
    checkOneKey(options, `${method} of table ${this.table.name}`)
    this.#check(options, writeOptions, method)
    const { etag, ...call } = options
    return { change: this.table.changes.delete(target, etag), call }
  }

  /** Returns a new batch. */
  batch<Input extends object, Key extends object>(): Batch<Entity, Input, Key> {
    return new Batch<Entity, Input, Key>(this.table)
  }

  /** Returns a writer of any number of entities. */
  bulk<Input extends object, Key extends object, Operation extends object>(
    options: BulkOptions<Entity>,
  ): BulkWriter<Entity, Input, Key, Operation> {
    const where = `bulk of table ${this.table.name}`
    bulkOptions.check(options, where)
    return new BulkWriter(this.#bulkParts(options, where))
  }

  /** Returns a writer that collects entities. */
  buffered<Input extends object, Key extends object, Operation extends object>(
    options: BufferOptions<Entity>,
  ): BufferedWriter<Entity, Input, Key, Operation> {
    const where = `buffered of table ${this.table.name}`
    bufferOptions.check(options, where)
    return new BufferedWriter(this.#bulkParts(options, where), options)
  }

  /** The table as a bulk writer needs it. */
  get target(): BulkTarget {
    return bulkTarget(this.table)
  }

  #bulkParts(options: BulkOptions<Entity>, where: string): BulkWriterParts {
    return {
      target: this.target,
      settings: bulkSettings(options, where),
      toOperation: (value) => checkedWrite(value, where, this.table.assignType),
    }
  }

  /** Reads an entity, lets a function change it, and writes the changes. */
  async modify(
    target: unknown,
    modifier: EntityModifier<Entity>,
    options: ModifyOptions,
  ): Promise<Entity> {
    const { service, mapping, name } = this.table
    const where = `modify of table ${name}`
    checkOneKey(modifier, where)
    const key = targetKey(target, mapping)
    this.#check(options, modifyOptions, 'modify')
    if (typeof modifier !== 'function') throw noModifier(where)
    const { attempts, orInsert, ...call } = options
    return service.pendingCalls.runSeries(call, (series) =>
      modifyEntity({ ...this.table, key, modifier, attempts, orInsert }, series),
    )
  }

  /** Reads an entity again, into the same object, and returns whether its ETag changed. */
  async reload(entity: Entity, options: CallOptions): Promise<boolean> {
    this.#check(options, callOptions, 'reload')
    return reloadEntity(this.table, entity, options)
  }

  /** Executes one operation, or several in one transaction. */
  async execute(
    operations: AnyOperation | readonly AnyOperation[],
    options: CallOptions,
  ): Promise<unknown> {
    this.#check(options, callOptions, 'execute')
    const { name, assignType } = this.table
    const where = `execute of table ${name}`
    const isList = Array.isArray(operations)
    const list = (isList ? operations : [operations]).map((given) =>
      checkedOperation(given, where, assignType),
    )
    return isList
      ? executeOperations(list, this.table, options)
      : executeOperation(list[0] as CheckedOperation, this.table, options)
  }

  /** Returns the object that was written, or what was stored if the object cannot be assigned to. */
  #written(change: EntityChange): Entity {
    return writtenEntity(change, this.table) as Entity
  }

  #check<Options>(
    options: Options,
    declared: Pick<DeclaredOptions<Options>, 'check'>,
    method: string,
  ): void {
    declared.check(options, `${method} of table ${this.table.name}`)
  }
}

/**
 * Returns a table with what writes its entities. Each write is bound to its row where that matters, asks the model for its keepers, and
 * stores what they add.
 */
function writePartsOf<Entity extends object>(parts: TableParts<Entity>): WriteParts<Entity> {
  const table = parts as unknown as TableParts<object>
  const { service, kept, lifetime } = parts
  const softDelete = (key: EntityKey) => lifetime?.deletion?.(key, service.now())
  let keeping = keepingOf(kept)
  const newSender = () => new WriteSender({ ...table, planner: keeping?.planner(table) })
  let sender = newSender()
  return {
    ...parts,
    changes: new EntityChanges(table, softDelete),
    get sender() {
      if (keeping !== keepingOf(kept)) {
        keeping = keepingOf(kept)
        sender = newSender()
      }
      return sender
    },
  }
}

function noModifier(where: string): InputError {
  return invalidOption(
    `${where} needs a function that changes the entity, such as (jeff) => { jeff.age = 5 }.`,
  )
}
