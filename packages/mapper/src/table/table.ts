import { InputError } from '@rowkey/odata'
import { type CallOptions, checkOptions } from '@rowkey/rest'
import type { RowCodec } from '../codec/row-codec.ts'
import type { KeyMembers } from '../model/entity-model.ts'
import type { RowOrigin } from '../snapshot/snapshot.ts'
import { type EntityTarget, targetKey } from './entity-target.ts'
import type { TableOperation } from './operation/entity-operation.ts'
import { executeOperation, executeOperations } from './operation/execute-operation.ts'
import type { ResultOf, ResultsOf } from './operation/operation-result.ts'
import { type AnyOperation, checkOperation } from './operation/to-change.ts'
import { RowReader } from './read/row-reader.ts'
import type { TableParts } from './table-parts.ts'
import { ChangeSender } from './write/change-sender.ts'
import { EntityChanges } from './write/entity-changes.ts'
import { type EntityModifier, modifyEntity } from './write/modify-entity.ts'
import {
  attemptsIn,
  checkOrInsert,
  MODIFY_OPTION_NAMES,
  type ModifyOptions,
} from './write/modify-options.ts'
import { reloadEntity } from './write/reload-entity.ts'
import { WritableTable } from './write/writable-table.ts'

/**
 * One table and its entities, from {@link Account.table}.
 *
 * Every method sends one request, and more only to try again, unless it says otherwise. Bad input
 * is refused before anything is sent.
 *
 * @example
 * ```ts
 * const customers = account.table(Customer)
 * const jeff = await customers.get(['Smith', 'Jeff'])
 * jeff.points = 5n
 * await customers.merge(jeff)          // sends points alone, and only if nobody wrote Jeff since
 * ```
 */
export class Table<
  Entity extends object,
  Input extends object = Entity,
  Key extends object = KeyMembers<Entity>,
> extends WritableTable<Entity, Input, Key> {
  readonly #codec: RowCodec<Entity>
  readonly #origin: RowOrigin
  readonly #rows: RowReader<Entity>
  readonly #changes: EntityChanges<Entity>
  readonly #sender: ChangeSender<Entity>

  /** @param parts - what the table is made from; {@link Account.table} has them */
  constructor(parts: TableParts<Entity>) {
    super(parts)
    const { service, name, origin, codec } = parts
    this.#codec = codec
    this.#origin = origin
    this.#rows = new RowReader(name, origin, codec)
    this.#changes = new EntityChanges(name, origin, codec)
    this.#sender = new ChangeSender(service, name, codec)
  }

  /**
   * Reads an entity, lets a function change it, and writes what changed, if nobody wrote the entity in
   * between. When someone did, it waits, reads the entity again and calls the function again: up to 50 ms
   * at random, then up to twice as long each time, and at most 2 s.
   *
   * What changed is merged; when a value was taken away, which a merge cannot do, the entity is
   * replaced. Nothing is sent when nothing changed. It sends two requests for each attempt.
   *
   * When the answer to the write is lost, and what is stored does not tell what became of it, the call
   * ends with an `AmbiguousWriteError`: the function is never applied to its own result.
   *
   * @param target - the key of the entity
   * @param modifier - changes the entity that it is given, and may be asynchronous. It may be called
   * several times, each time with another object, so it should do nothing else. What it throws ends the
   * call, and nothing is written
   * @param options - also `attempts`, how often to try, and `orInsert`, what to insert when the entity is
   * missing. A `deadline` holds for all attempts together. The entity is always read at the primary location
   * @returns the entity as it is stored now
   * @throws EntityNotFoundError when it is missing and `orInsert` is absent
   * @throws {@link ModifyConflictError} when others wrote it in each attempt
   * @throws {@link ChangedKeyError} when the function changed its key
   *
   * @example
   * ```ts
   * await customers.modify(['Smith', 'Jeff'], (jeff) => {
   *   jeff.points = (jeff.points ?? 0n) + 1n
   * })
   * ```
   */
  async modify(
    target: EntityTarget | Key,
    modifier: EntityModifier<Entity>,
    options: ModifyOptions<Input> = {},
  ): Promise<Entity> {
    const where = `modify of table ${this.name}`
    checkOptions(options, MODIFY_OPTION_NAMES, where)
    const { attempts, orInsert, ...call } = options
    checkOrInsert(orInsert, where)
    if (typeof modifier !== 'function') throw noModifier(where)
    const modification = {
      service: this.service,
      rows: this.#rows,
      changes: this.#changes,
      sender: this.#sender,
      key: targetKey(target, this.#codec),
      modifier,
      attempts: attemptsIn(attempts, where),
      orInsert,
    }
    return modifyEntity(modification, call)
  }

  /**
   * Reads an entity again, into the same object: what was changed and not written is lost, and what is
   * not stored any more is what it was in a new object. Members that the class does not store stay as
   * they are.
   *
   * @returns whether someone wrote the entity since it was last read or written: whether its ETag is
   * another one. True as well for an object that carries none
   * @throws EntityNotFoundError when there is none any more
   * @throws {@link ChangedKeyError} when the object has another key than it was read under
   *
   * @example
   * ```ts
   * if (await customers.reload(jeff)) show(jeff)
   * ```
   */
  async reload(entity: Entity, options: CallOptions = {}): Promise<boolean> {
    this.checkOptions(options, 'reload')
    const { service, name: table } = this
    return reloadEntity(
      { service, codec: this.#codec, origin: this.#origin, rows: this.#rows, table, entity },
      options,
    )
  }

  /**
   * Executes an operation that was made as a value: it does what the method of its name does, with the
   * entity as it is now, and may be executed again.
   *
   * @param operation - from {@link Operation}
   * @returns the entity's ETag, and the entity: the object that was written, what was retrieved (or
   * `undefined` when there was none), and nothing after a delete
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
   * Executes several operations of one partition in one transaction: all happen, or none. A retrieve is
   * taken only alone.
   *
   * @param operations - 1 to 100, each of another entity, from {@link Operation}
   * @returns what came of each, in its place
   * @throws InputError (`InvalidBatch`) for what the service takes in no transaction; nothing is sent then
   * @throws BatchError when the service refused one, and therefore all: `index` says which
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
    given: AnyOperation | readonly AnyOperation[],
    options: CallOptions = {},
  ): Promise<unknown> {
    const where = `execute of table ${this.name}`
    this.checkOptions(options, 'execute')
    const parts = {
      service: this.service,
      codec: this.#codec,
      rows: this.#rows,
      changes: this.#changes,
      sender: this.#sender,
    }
    // The overloads say which entities they may be of.
    if (Array.isArray(given)) {
      for (const operation of given) checkOperation(operation, where)
      return executeOperations(given as readonly AnyOperation<Entity>[], parts, options)
    }
    checkOperation(given, where)
    return executeOperation(given as AnyOperation<Entity>, parts, options)
  }
}

function noModifier(where: string): InputError {
  return new InputError({
    code: 'InvalidOptionValue',
    message: `${where} takes a function that changes the entity, such as (jeff) => { jeff.age = 5 }.`,
  })
}
