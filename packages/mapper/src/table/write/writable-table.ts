import type { ProjectionOf } from '@rowkey/query'
import { type CallOptions, checkOptions } from '@rowkey/rest'
import type { KeyMembers } from '../../model/entity-model.ts'
import type { EntityTarget } from '../entity-target.ts'
import { WRITE_OPTION_NAMES } from '../option-names.ts'
import { ReadableTable } from '../read/readable-table.ts'
import { RowReader } from '../read/row-reader.ts'
import type { TableParts } from '../table-parts.ts'
import { Batch } from './batch.ts'
import { ChangeSender } from './change-sender.ts'
import { deleteEntityIfExists } from './delete-entity-if-exists.ts'
import type { EntityChange } from './entity-change.ts'
import { EntityChanges } from './entity-changes.ts'
import { INSERT_OPTION_NAMES, type InsertOptions } from './insert-options.ts'
import type { WriteOptions } from './write-options.ts'

/** A table whose entities can be written: one by one, and in batches. */
export class WritableTable<
  Entity extends object,
  Input extends object = Entity,
  Key extends object = KeyMembers<Entity>,
> extends ReadableTable<Entity, Key> {
  readonly #rows: RowReader<Entity>
  readonly #changes: EntityChanges<object>
  readonly #sender: ChangeSender<object>

  /** @param parts - what the table is made from; {@link Account.table} has them */
  constructor(parts: TableParts<Entity>) {
    super(parts)
    const { service, name, origin, codec } = parts
    this.#rows = new RowReader(name, origin, codec)
    this.#changes = new EntityChanges<object>(name, origin, codec)
    this.#sender = new ChangeSender<object>(service, name, codec)
  }

  /**
   * Stores a new entity.
   *
   * @param options - also `echo`, for the entity as the service stored it
   * @returns the same object, with its new ETag (and Timestamp) on it; another one for a frozen object, and
   * with `echo`, unless the service gives no echo or its response was lost
   * @throws EntityAlreadyExistsError when its key is taken
   */
  async insert(entity: Input, options: InsertOptions = {}): Promise<Entity> {
    checkOptions(options, INSERT_OPTION_NAMES, `insert of table ${this.name}`)
    const { echo, ...call } = options
    const change = this.#changes.insert(entity, echo)
    const result = await this.#sender.send(change, call)
    if (result.raw !== undefined) return this.#rows.read(result.raw, result.etag)
    return this.#rows.written(change) as Entity
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
   * @throws InputError (`MissingETag`) when there is no ETag to go by
   */
  async merge<Row extends Entity | ProjectionOf<Entity>>(
    entity: Row,
    options: WriteOptions = {},
  ): Promise<Row> {
    const { etag, ...call } = this.#checkWrite(options, 'merge')
    const change = this.#changes.merge(entity, etag)
    if (change !== undefined) await this.#sender.send(change, call)
    return (change?.entity as Row | undefined) ?? entity
  }

  /**
   * Puts an entity in the place of the stored one: a property without a value is removed. Stored
   * properties that the class does not declare are kept as they were read, so by the entity's own ETag
   * they must have been: after an upsert, or a merge with another ETag, read the entity again.
   *
   * @param options - also `etag`: by default the entity's own
   * @returns the same object, with its new ETag (and Timestamp) on it
   * @throws ETagMismatchError when someone else wrote the entity since
   * @throws InputError (`MissingETag`) when there is no ETag to go by
   * @throws {@link ProjectedEntityError} when the entity was read with `select`, or nobody has read
   * the version that its ETag names
   */
  async replace(entity: Entity | Input, options: WriteOptions = {}): Promise<Entity> {
    const { etag, ...call } = this.#checkWrite(options, 'replace')
    return this.#write(this.#changes.replace(entity, etag), call)
  }

  /**
   * Stores an entity, or merges it into the one that is there: whoever wrote that. What the class does not
   * declare is not sent.
   *
   * @returns the same object, with its new ETag (and Timestamp) on it
   */
  async insertOrMerge(entity: Entity | Input, options: CallOptions = {}): Promise<Entity> {
    this.checkOptions(options, 'insertOrMerge')
    return this.#write(this.#changes.insertOrMerge(entity), options)
  }

  /**
   * Stores an entity, in the place of the one that is there: whoever wrote that.
   *
   * @returns the same object, with its new ETag (and Timestamp) on it
   * @throws {@link ProjectedEntityError} when the entity was read with `select`
   */
  async insertOrReplace(entity: Entity | Input, options: CallOptions = {}): Promise<Entity> {
    this.checkOptions(options, 'insertOrReplace')
    return this.#write(this.#changes.insertOrReplace(entity), options)
  }

  /**
   * Deletes one entity.
   *
   * @param target - the entity, or its key; a key alone needs `etag`
   * @param options - also `etag`: by default the entity's own
   * @throws EntityNotFoundError when there is none
   * @throws ETagMismatchError when someone else wrote the entity since
   * @throws InputError (`MissingETag`) when there is no ETag to go by
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
    await this.#sender.send(this.#changes.delete(target, etag), call)
  }

  /**
   * Deletes one entity, if it is there.
   *
   * @param target - the entity, or its key; a key alone needs `etag`
   * @param options - also `etag`: by default the entity's own
   * @returns true when it was deleted, false when there was none
   * @throws ETagMismatchError when someone else wrote the entity since
   * @throws InputError (`MissingETag`) when there is no ETag to go by
   */
  async deleteIfExists(
    target: Entity | ProjectionOf<Entity> | EntityTarget | Key,
    options: WriteOptions = {},
  ): Promise<boolean> {
    const { etag, ...call } = this.#checkWrite(options, 'deleteIfExists')
    const change = this.#changes.delete(target, etag)
    return (await this.#sender.sendAs(deleteEntityIfExists, change, call)).deleted
  }

  /** Begins an atomic transaction on one partition; nothing is sent before `submit`. */
  batch(): Batch<Entity, Input, Key> {
    return new Batch<Entity, Input, Key>(this.#changes, this.#sender, this.#rows)
  }

  async #write(change: EntityChange<object>, options: CallOptions): Promise<Entity> {
    await this.#sender.send(change, options)
    return this.#rows.written(change) as Entity
  }

  #checkWrite(options: WriteOptions, method: string): WriteOptions {
    checkOptions(options, WRITE_OPTION_NAMES, `${method} of table ${this.name}`)
    return options
  }
}
