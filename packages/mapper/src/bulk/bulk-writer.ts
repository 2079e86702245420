import { describeKind, type EntityKey } from '@rowkey/odata'
import type { ProjectionOf } from '@rowkey/query'
import { mapperInputError } from '../errors/codes.ts'
import { givenEtag } from '../options/write-options.ts'
import { BulkRun } from './bulk-run.ts'
import type { BulkKind } from './bulk-target.ts'
import type { BulkWork } from './bulk-work.ts'
import { type BulkInput, openInput } from './input-reader.ts'

/** The target of a delete of a bulk writer: an entity, or its key. */
export type BulkDeletion<Entity extends object, Key extends object> =
  | Entity
  | ProjectionOf<Entity>
  | EntityKey
  | readonly [partitionKey: string, rowKey: string]
  | Key

/** The options of a bulk merge, replace or delete. */
export interface BulkChangeOptions {
  /**
   * Write only when the stored entity has this ETag; `'*'` writes whatever is stored now.
   *
   * @defaultValue the ETag that each entity carries
   */
  readonly etag?: string | undefined
}

/** The parts of a {@link BulkWriter}: all of a write but its input. */
export type BulkWriterParts = Omit<BulkWork, 'call' | 'input'>

/**
 * Writes any number of entities to one table, from {@link Table.bulk}. Each method reads its input as fast
 * as the service takes it, and sends transactions of up to 100 operations and 4 MiB, of several partitions
 * at once. It is not atomic: each operation has an outcome of its own.
 *
 * @example
 * ```ts
 * const { done } = await customers.bulk({ concurrency: 8 }).insertOrReplace(readCustomers())
 * ```
 */
export class BulkWriter<
  Entity extends object,
  Input extends object,
  Key extends object,
  Operation extends object,
> {
  readonly #parts: BulkWriterParts

  /** @internal */
  constructor(parts: BulkWriterParts) {
    this.#parts = parts
  }

  /**
   * Stores new entities: see {@link Table.insert}.
   *
   * Requests: `transactions`, each of up to 100 entities of a partition.
   *
   * @param entities - an array, a generator or a stream of entities
   */
  insert<Item extends Input>(entities: BulkInput<Item>): BulkRun<Item>
  insert<Item>(entities: BulkInput<Item>, options?: object): BulkRun<Item> {
    return this.#write('insert', entities, options)
  }

  /**
   * Merges entities: see {@link Table.merge}. An entity without a change is done without a request.
   *
   * Requests: `transactions`, each of up to 100 entities of a partition.
   *
   * @param entities - an array, a generator or a stream of entities
   * @param options - also `etag`, by default that of each entity
   */
  merge<Item extends Entity | ProjectionOf<Entity>>(
    entities: BulkInput<Item>,
    options?: BulkChangeOptions,
  ): BulkRun<Item> {
    return this.#write('merge', entities, options)
  }

  /**
   * Replaces entities: see {@link Table.replace}.
   *
   * Requests: `transactions`, each of up to 100 entities of a partition.
   *
   * @param entities - an array, a generator or a stream of entities
   * @param options - also `etag`, by default that of each entity
   */
  replace<Item extends Entity | Input>(
    entities: BulkInput<Item>,
    options?: BulkChangeOptions,
  ): BulkRun<Item> {
    return this.#write('replace', entities, options)
  }

  /**
   * Stores entities, or merges them into the stored ones: see {@link Table.insertOrMerge}.
   *
   * Requests: `transactions`, each of up to 100 entities of a partition.
   *
   * @param entities - an array, a generator or a stream of entities
   */
  insertOrMerge<Item extends Entity | Input>(entities: BulkInput<Item>): BulkRun<Item>
  insertOrMerge<Item>(entities: BulkInput<Item>, options?: object): BulkRun<Item> {
    return this.#write('insertOrMerge', entities, options)
  }

  /**
   * Stores entities, or replaces the stored ones: see {@link Table.insertOrReplace}.
   *
   * Requests: `transactions`, each of up to 100 entities of a partition.
   *
   * @param entities - an array, a generator or a stream of entities
   */
  insertOrReplace<Item extends Entity | Input>(entities: BulkInput<Item>): BulkRun<Item>
  insertOrReplace<Item>(entities: BulkInput<Item>, options?: object): BulkRun<Item> {
    return this.#write('insertOrReplace', entities, options)
  }

  /**
   * Deletes entities: see {@link Table.delete}.
   *
   * Requests: `transactions`, each of up to 100 entities of a partition.
   *
   * @param targets - an array, a generator or a stream of entities or keys
   * @param options - also `etag`, by default that of each entity; keys alone need it
   */
  delete<Item extends BulkDeletion<Entity, Key>>(
    targets: BulkInput<Item>,
    options?: BulkChangeOptions,
  ): BulkRun<Item> {
    return this.#write('delete', targets, options)
  }

  /**
   * Executes operations of any kind except `retrieve`.
   *
   * Requests: `transactions`, each of up to 100 entities of a partition.
   *
   * @param operations - an array, a generator or a stream of operations, from {@link Operation}
   *
   * @example
   * ```ts
   * await customers.bulk().execute([Operation.insert(jeff), Operation.delete(ben)])
   * ```
   */
  execute<Item extends Operation>(operations: BulkInput<Item>): BulkRun<Item>
  execute<Item>(operations: BulkInput<Item>, options?: object): BulkRun<Item> {
    const where = this.#place('execute')
    givenEtag(options, 'execute', where)
    return this.#begin(operations, where, this.#parts.toOperation)
  }

  #write<Item>(kind: BulkKind, input: BulkInput<Item>, options?: BulkChangeOptions): BulkRun<Item> {
    const where = this.#place(kind)
    const etag = givenEtag(options, kind, where)
    return this.#begin(input, where, (item) => ({ kind, subject: subjectIn(item, where), etag }))
  }

  #begin<Item>(
    input: BulkInput<Item>,
    where: string,
    toOperation: BulkWriterParts['toOperation'],
  ): BulkRun<Item> {
    const opened = openInput(input, where)
    const { target, settings } = this.#parts
    const open = () => ({ target, settings, input: opened, toOperation })
    return new BulkRun(target, settings.options, where, open)
  }

  #place(method: string): string {
    return `${method} of a bulk writer of table ${this.#parts.target.table}`
  }
}

function subjectIn(item: unknown, where: string): object {
  if (typeof item === 'object' && item !== null) return item
  throw mapperInputError({
    code: 'InvalidEntity',
    message: `${where} takes entities, and got ${describeKind(item)}. Give objects with their properties.`,
  })
}
