import type { InputError } from '@rowkey/odata'
import type { ProjectionOf } from '@rowkey/query'
import { mapperInputError } from '../errors/codes.ts'
import { changeOptions } from '../options/write-options.ts'
import type { BulkKind, BulkOperation } from './bulk-target.ts'
import type { BulkChangeOptions, BulkDeletion } from './bulk-writer.ts'
import { type BufferedWriterParts, WriteBuffer } from './write-buffer.ts'

/**
 * Collects entities of one table and writes them together, from {@link Table.buffered}: for logs, metrics and
 * events, which come one by one. It flushes when enough operations, enough bytes or enough time have come
 * together, and on `close`.
 *
 * Each method resolves when the operation is buffered; it waits while too many are. It rejects an invalid
 * entity at once. An entity is written as it is when it is added. What fails later is reported to `onFlush`,
 * and the next `flush` or `close` rejects with a {@link BulkError}.
 *
 * @example
 * ```ts
 * await using log = account.table('log').buffered({ maxAge: 2_000 })
 * await log.insert(new DynamicEntity('2026-11-22', newId(), { text: 'started' }))
 * ```
 */
export class BufferedWriter<
  Entity extends object,
  Input extends object,
  Key extends object,
  Operation extends object,
> {
  readonly #table: string
  readonly #buffer: WriteBuffer
  readonly #toOperation: (value: unknown) => BulkOperation
  #isClosed = false

  /** @internal */
  constructor(parts: BufferedWriterParts) {
    this.#table = parts.target.table
    this.#buffer = new WriteBuffer(parts)
    this.#toOperation = parts.toOperation
  }

  /** How many operations wait for a flush. An operation counts when its method has resolved. */
  get size(): number {
    return this.#buffer.size
  }

  /** How many bytes they have, as they are sent. */
  get bytes(): number {
    return this.#buffer.bytes
  }

  /** Adds {@link Table.insert}. */
  async insert(entity: Input): Promise<void> {
    return this.#addOne('insert', entity, {})
  }

  /** Adds {@link Table.merge}. */
  async merge(
    entity: Entity | ProjectionOf<Entity>,
    options: BulkChangeOptions = {},
  ): Promise<void> {
    return this.#addOne('merge', entity, options)
  }

  /** Adds {@link Table.replace}. */
  async replace(entity: Entity | Input, options: BulkChangeOptions = {}): Promise<void> {
    return this.#addOne('replace', entity, options)
  }

  /** Adds {@link Table.insertOrMerge}. */
  async insertOrMerge(entity: Entity | Input): Promise<void> {
    return this.#addOne('insertOrMerge', entity, {})
  }

  /** Adds {@link Table.insertOrReplace}. */
  async insertOrReplace(entity: Entity | Input): Promise<void> {
    return this.#addOne('insertOrReplace', entity, {})
  }

  /** Adds {@link Table.delete}. */
  async delete(target: BulkDeletion<Entity, Key>, options: BulkChangeOptions = {}): Promise<void> {
    return this.#addOne('delete', target, options)
  }

  /** Adds an operation, from {@link Operation}. */
  async add<Given extends Operation>(operation: Given): Promise<void> {
    return this.#add(this.#toOperation(operation))
  }

  /**
   * Writes everything that is buffered, also operations whose methods are not awaited yet.
   *
   * @throws {@link BulkError} when an operation failed or is unknown since the last `flush`
   */
  async flush(): Promise<void> {
    await this.#buffer.flush()
  }

  /**
   * Writes as {@link BufferedWriter.flush} does, and rejects operations that come later. May be called again.
   *
   * @throws {@link BulkError} when an operation failed or is unknown since the last `flush`
   */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.flush()
  }

  /** Closes the writer, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #addOne(kind: BulkKind, subject: object, options: BulkChangeOptions): Promise<void> {
    changeOptions.check(options, `${kind} of a buffered writer of table ${this.#table}`)
    return this.#add({ kind, subject, etag: options.etag })
  }

  async #add(operation: BulkOperation): Promise<void> {
    if (this.#isClosed) throw closedError(operation.kind, this.#table)
    return this.#buffer.add(operation)
  }
}

/** Makes the error of an operation that comes after `close`. */
function closedError(kind: BulkKind, table: string): InputError {
  return mapperInputError({
    code: 'WriterClosed',
    message: `${kind} of a buffered writer of table ${table}: the writer is closed. Add operations before close(), or open another writer.`,
  })
}
