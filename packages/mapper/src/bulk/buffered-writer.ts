import type { ProjectionOf } from '@rowkey/query'
import { checkOptions, partNotLoaded } from '@rowkey/rest'
import type { BulkKind, BulkOperation } from './bulk-target.ts'
import type { BulkChangeOptions, BulkDeletion } from './bulk-writer.ts'
import type { BufferedWriterParts, WriteBuffer } from './write-buffer.ts'

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
  readonly #parts: BufferedWriterParts
  #isClosed = false
  /** Loads the buffer, for the first operation; `undefined` before, and after a load that failed. */
  #loading: Promise<WriteBuffer> | undefined
  #buffer: WriteBuffer | undefined
  /** The objects whose operations wait for the buffer, in their order. */
  readonly #early: object[] = []

  /** @internal */
  constructor(parts: BufferedWriterParts) {
    this.#parts = parts
  }

  /** How many operations wait for a flush. An operation counts when its method has resolved. */
  get size(): number {
    return this.#buffer?.size ?? 0
  }

  /** How many bytes they have, as they are sent. */
  get bytes(): number {
    return this.#buffer?.bytes ?? 0
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
    const made = this.#parts.toOperation(operation)
    return this.#add('then' in made ? await made : made)
  }

  /**
   * Writes everything that is buffered, also operations whose methods are not awaited yet.
   *
   * @throws {@link BulkError} when an operation failed or is unknown since the last `flush`
   */
  async flush(): Promise<void> {
    await (await this.#loading)?.flush()
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
    checkOptions(options, ['etag'], `${kind} of a buffered writer of table ${this.#parts.table}`)
    return this.#add({ kind, subject, etag: options.etag })
  }

  async #add(operation: BulkOperation): Promise<void> {
    if (this.#isClosed) throw (await this.#load()).closedError(operation.kind)
    const { subject } = operation
    const isBusy = this.#buffer?.isBusy(subject) || this.#early.includes(subject)
    // The entity may change while the code is loaded.
    const made = isBusy ? undefined : { change: this.#parts.change(operation) }
    if (this.#buffer !== undefined && this.#early.length === 0) {
      return this.#buffer.add(operation, made)
    }
    this.#early.push(subject)
    try {
      this.#buffer = await this.#load()
      return this.#buffer.add(operation, made)
    } finally {
      this.#early.shift()
    }
  }

  #load(): Promise<WriteBuffer> {
    this.#loading ??= this.#open().catch((error: unknown) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }

  async #open(): Promise<WriteBuffer> {
    const [{ WriteBuffer }, target] = await Promise.all([
      import('./write-buffer.ts').catch(partNotLoaded),
      this.#parts.target(),
    ])
    return new WriteBuffer({ ...this.#parts, target })
  }
}
