import type { ProjectionOf } from '@rowkey/query'
import { type CallOptions, callOf, changeBytes, changeSetLimits } from '@rowkey/rest'
import type { KeyMembers } from '../model/entity-model.ts'
import { type ChangeOptions, givenEtag } from '../options/write-options.ts'
import type { EntityTarget } from '../rows/entity-target.ts'
import { readRow } from '../rows/read-row.ts'
import { assignGiven, type CheckedOperation } from './check-operation.ts'
import { type Given, partsOf } from './operation.ts'
import type { Write } from './write.ts'
import type { Writes } from './writes.ts'

/** The outcome of one change of a batch. */
export interface BatchResult<Entity = unknown> {
  /** The entity's new ETag; `undefined` after a final delete. */
  readonly etag: string | undefined
  /** The entity that {@link Batch.retrieve} found; `undefined` for a missing entity, and for a change. */
  readonly entity?: Entity | undefined
  /** The HTTP status of the change; `undefined` when the response was lost and a read settled the batch. */
  readonly status: number | undefined
}

/**
 * An entity group transaction, from {@link Table.batch}: up to 100 changes of one partition, each of
 * another entity. All of them are applied, or none.
 *
 * The service runs batches of one partition one after another, and concurrent ones may fail: send them in
 * sequence. Batches of different partitions can run in parallel.
 *
 * A change contains the values of the entity at the time when it is added; later changes of the object
 * are not sent.
 *
 * @example
 * ```ts
 * const results = await customers.batch().insert(jeff).merge(anna).delete(ben).submit()
 * ```
 */
export class Batch<
  Entity extends object,
  Input extends object = Entity,
  Key extends object = KeyMembers<Entity>,
> {
  readonly #writes: Writes<Entity>
  readonly #added: Write[] = []

  /** @internal */
  constructor(writes: Writes<Entity>) {
    this.#writes = writes
  }

  /** The number of changes. */
  get size(): number {
    return this.#added.length
  }

  /**
   * How many bytes the request has, exactly as it is sent. The service accepts 4 MiB, Cosmos DB 2 MiB.
   *
   * @throws InputError for a change that the service would reject, such as an entity that is too large
   */
  get bytes(): number {
    const { endpoint } = this.#writes.table.service
    const { envelope } = changeSetLimits(endpoint)
    return this.#added.reduce((bytes, change) => bytes + changeBytes(change, endpoint), envelope)
  }

  /** Adds {@link Table.insert}. */
  insert(entity: Input): this
  insert(...given: Given): this {
    return this.#add('insert', given)
  }

  /**
   * Adds {@link Table.merge}. It is sent even if nothing changed, so that the whole batch depends on the
   * entity's ETag.
   */
  merge(entity: Entity | ProjectionOf<Entity>, options?: ChangeOptions): this
  merge(...given: Given): this {
    return this.#add('merge', given)
  }

  /** Adds {@link Table.replace}. */
  replace(entity: Entity | Input, options?: ChangeOptions): this
  replace(...given: Given): this {
    return this.#add('replace', given)
  }

  /** Adds {@link Table.insertOrMerge}. */
  insertOrMerge(entity: Entity | Input): this
  insertOrMerge(...given: Given): this {
    return this.#add('insertOrMerge', given)
  }

  /** Adds {@link Table.insertOrReplace}. */
  insertOrReplace(entity: Entity | Input): this
  insertOrReplace(...given: Given): this {
    return this.#add('insertOrReplace', given)
  }

  /** Adds {@link Table.delete}. */
  delete(target: Entity | ProjectionOf<Entity> | EntityTarget | Key, options?: ChangeOptions): this
  delete(...given: Given): this {
    return this.#add('delete', given)
  }

  /**
   * Adds a read of one entity, which must be the only part of the batch. It reads keys that some services
   * decode wrongly in a path.
   *
   * @param target - its key, as for {@link Table.get}
   *
   * @example
   * ```ts
   * const [found] = await customers.batch().retrieve(['Smith', '10%']).submit()
   * found?.entity // the customer, or undefined
   * ```
   */
  retrieve(target: EntityTarget | Key): this
  retrieve(...given: Given): this {
    return this.#add('retrieve', given)
  }

  /**
   * Sends all changes in one request.
   *
   * Requests: `1`.
   *
   * @returns the results, in the order of the changes; every written object has its new ETag
   * @throws InputError (`InvalidBatch`) when the batch is empty, has more than 100 changes, spans
   * partitions, changes an entity twice or reads beside other changes; nothing is sent then
   * @throws BatchError when the service rejected a change, and with it all; `index` is its position
   */
  async submit(options: CallOptions = {}): Promise<BatchResult<Entity>[]> {
    const { table } = this.#writes
    const { service, rows } = table
    const call = callOf(service, options, 'submit of a batch')
    const results = await this.#writes.sendAll([...this.#added], call)
    return results.map(({ raw, etag, status }) => {
      if (raw === undefined) return { etag, status }
      if (rows.hides(raw, service.now())) return { etag: undefined, status: 404 }
      return { etag, entity: readRow(table, raw, etag), status }
    })
  }

  #add(kind: CheckedOperation['kind'], given: Given): this {
    const { assignType } = this.#writes.table
    const { type, first, options } = partsOf(given)
    const subject = first as object // the change rejects anything else
    const where = `${kind} of a batch`
    const etag = givenEtag(options, kind, where)
    if (type !== undefined) assignGiven({ kind, type, subject }, where, assignType)
    this.#added.push(this.#writes.by({ kind, subject }).inBatch({ kind, subject, etag }))
    return this
  }
}
