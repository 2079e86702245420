import type { EntityCodec } from '@rowkey/odata'
import type { ProjectionOf } from '@rowkey/query'
import { type CallOptions, checkOptions, perform, type WriteResult } from '@rowkey/rest'
import { Batch } from './batch.ts'
import type { KeyMembers } from './model/entity-model.ts'
import type { EntityChange } from './table/entity-change.ts'
import { EntityChanges } from './table/entity-changes.ts'
import type { EntityTarget } from './table/entity-target.ts'
import { INSERT_OPTION_NAMES, type InsertOptions } from './table/insert-options.ts'
import { WRITE_OPTION_NAMES } from './table/option-names.ts'
import { ReadableTable } from './table/readable-table.ts'
import type { TableParts } from './table/table-parts.ts'
import type { WriteOptions } from './table/write-options.ts'

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
> extends ReadableTable<Entity, Key> {
  readonly #codec: EntityCodec<Entity>
  readonly #changes: EntityChanges<Entity | Input>

  /** @param parts - what the table is made from; {@link Account.table} has them */
  constructor(parts: TableParts<Entity>) {
    super(parts)
    this.#codec = parts.codec
    this.#changes = new EntityChanges(parts.name, parts.codec)
  }

  /**
   * Stores a new entity.
   *
   * @param options - also `echo`, for the entity as the service stored it
   * @returns the same object, with its new ETag (and Timestamp) on it; with `echo` another one, unless
   * the service gives no echo or its answer was lost
   * @throws EntityAlreadyExistsError when its key is taken
   */
  async insert(entity: Input, options: InsertOptions = {}): Promise<Entity> {
    checkOptions(options, INSERT_OPTION_NAMES, `insert of table ${this.name}`)
    const { echo, ...call } = options
    const change = this.#changes.insert(entity, echo)
    const result = await this.#perform(change, call)
    // Once it is written, an object has what its schema made of it.
    const written = entity as Input & Entity
    return result.raw === undefined ? written : this.#codec.read(result.raw, result.etag)
  }

  /**
   * Changes some properties of a stored entity and leaves the others as they are.
   *
   * Of an entity that was read it sends what changed since, and nothing at all when nothing did; of
   * any other it sends every property that has a value. A merge cannot remove a property.
   *
   * @param entity - the entity, or a row of a query with `select`
   * @param options - also `etag`: by default the entity's own
   * @returns the same object, with its new ETag (and Timestamp) on it
   * @throws ETagMismatchError when someone else wrote the entity since
   * @throws MissingETagError when there is no ETag to go by
   */
  async merge<Row extends Entity | ProjectionOf<Entity>>(
    entity: Row,
    options: WriteOptions = {},
  ): Promise<Row> {
    const { etag, ...call } = this.#checkWrite(options, 'merge')
    const change = this.#changes.merge(entity, etag)
    if (change !== undefined) await this.#perform(change, call)
    return entity
  }

  /**
   * Puts an entity in the place of the stored one: a property without a value is removed. Stored
   * properties that the class does not declare are kept as they were read.
   *
   * @param options - also `etag`: by default the entity's own
   * @returns the same object, with its new ETag (and Timestamp) on it
   * @throws ETagMismatchError when someone else wrote the entity since
   * @throws MissingETagError when there is no ETag to go by
   * @throws {@link ProjectedEntityError} when the entity was read with `select`
   */
  async replace(entity: Entity | Input, options: WriteOptions = {}): Promise<Entity> {
    const { etag, ...call } = this.#checkWrite(options, 'replace')
    return this.#write(entity, this.#changes.replace(entity, etag), call)
  }

  /**
   * Stores an entity, or merges it into the one that is there: whoever wrote that.
   *
   * @returns the same object, with its new ETag (and Timestamp) on it
   */
  async insertOrMerge(entity: Entity | Input, options: CallOptions = {}): Promise<Entity> {
    this.checkOptions(options, 'insertOrMerge')
    return this.#write(entity, this.#changes.insertOrMerge(entity), options)
  }

  /**
   * Stores an entity, in the place of the one that is there: whoever wrote that.
   *
   * @returns the same object, with its new ETag (and Timestamp) on it
   * @throws {@link ProjectedEntityError} when the entity was read with `select`
   */
  async insertOrReplace(entity: Entity | Input, options: CallOptions = {}): Promise<Entity> {
    this.checkOptions(options, 'insertOrReplace')
    return this.#write(entity, this.#changes.insertOrReplace(entity), options)
  }

  /**
   * Deletes one entity.
   *
   * @param target - the entity, or its key; a key alone needs `etag`
   * @param options - also `etag`: by default the entity's own
   * @throws EntityNotFoundError when there is none
   * @throws ETagMismatchError when someone else wrote the entity since
   * @throws MissingETagError when there is no ETag to go by
   *
   * @example
   * ```ts
   * await customers.delete(['Smith', 'Jeff'], { etag: '*' })
   * ```
   */
  async delete(
    target: Entity | ProjectionOf<Entity> | EntityTarget | Key,
    options: WriteOptions = {},
  ): Promise<void> {
    const { etag, ...call } = this.#checkWrite(options, 'delete')
    await this.#perform(this.#changes.delete(target, etag), call)
  }

  /** Begins an atomic transaction on one partition; nothing is sent before `submit`. */
  batch(): Batch<Entity, Input, Key> {
    return new Batch<Entity, Input, Key>(this.service, this.#changes)
  }

  async #write(
    entity: Entity | Input,
    change: EntityChange<Entity | Input>,
    options: CallOptions,
  ): Promise<Entity> {
    await this.#perform(change, options)
    return entity as Entity // once it is written, it has what its schema made of it
  }

  async #perform(change: EntityChange<Entity | Input>, options: CallOptions): Promise<WriteResult> {
    const write = this.#changes.begin(change)
    const work = perform(this.service, change.operation, change.input, options)
    const result = await work.catch((error: unknown) => {
      write.failed(error)
      throw error
    })
    write.written(result)
    return result
  }

  #checkWrite(options: WriteOptions, method: string): WriteOptions {
    checkOptions(options, WRITE_OPTION_NAMES, `${method} of table ${this.name}`)
    return options
  }
}
