import type { ProjectionOf } from '@rowkey/query'
import { type Call, callOf, changeBytes } from '@rowkey/rest'
import { mapperInputError } from '../errors/codes.ts'
import { givenEtag } from '../options/write-options.ts'
import { BulkEngine } from './bulk-engine.ts'
import { BulkError } from './bulk-error.ts'
import type { BufferOptions } from './bulk-options.ts'
import { addedSummary, type BulkSummary } from './bulk-outcome.ts'
import { pending } from './bulk-run.ts'
import type { BulkKind, BulkOperation } from './bulk-target.ts'
import type { BulkChangeOptions, BulkDeletion, BulkWriterParts } from './bulk-writer.ts'

/** An operation that is buffered. */
interface BufferedOperation extends BulkOperation {
  /** What the caller gave: the entity, key or operation. */
  readonly given: object
}

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
  readonly #parts: BulkWriterParts
  /** All flushes: a context records all of them, and each has the deadline of the options. */
  readonly #call: Call
  readonly #maxOperations: number
  readonly #maxBytes: number
  readonly #maxAge: number
  readonly #onFlush: BufferOptions['onFlush']
  #buffered: BufferedOperation[] = []
  #bytes = 0
  /** The objects that are buffered or being written. */
  #subjects = new Set<object>()
  /** The operations that wait until earlier writes of their objects have ended. */
  readonly #waiting = new Set<Promise<void>>()
  /** How many operations are being written. */
  #inFlight = 0
  /** The last flush. Flushes run one after another. */
  #flushing: Promise<void> = Promise.resolve()
  #isFlushQueued = false
  /** Ends the wait for the age of the buffer. */
  #timer: AbortController | undefined
  /** What failed since the last report. */
  #unreported: BulkSummary | undefined
  #isClosed = false

  /** @internal */
  constructor(
    parts: BulkWriterParts,
    { maxOperations = 500, maxBytes = 1024 * 1024, maxAge = 1_000, onFlush }: BufferOptions<never>,
  ) {
    this.#maxOperations = maxOperations
    this.#maxBytes = maxBytes
    this.#maxAge = maxAge
    this.#onFlush = onFlush
    this.#parts = parts
    const { target, settings } = parts
    const where = `buffered of table ${target.table}`
    this.#call = callOf(target.service, settings.options, where).inParts()
  }

  /** How many operations wait for a flush. An operation counts when its method has resolved. */
  get size(): number {
    return this.#buffered.length
  }

  /** How many bytes they have, as they are sent. */
  get bytes(): number {
    return this.#bytes
  }

  /** Adds {@link Table.insert}. */
  async insert(entity: Input): Promise<void>
  async insert(entity: object, options?: object): Promise<void> {
    return this.#addOne('insert', entity, options)
  }

  /** Adds {@link Table.merge}. */
  async merge(entity: Entity | ProjectionOf<Entity>, options?: BulkChangeOptions): Promise<void> {
    return this.#addOne('merge', entity, options)
  }

  /** Adds {@link Table.replace}. */
  async replace(entity: Entity | Input, options?: BulkChangeOptions): Promise<void> {
    return this.#addOne('replace', entity, options)
  }

  /** Adds {@link Table.insertOrMerge}. */
  async insertOrMerge(entity: Entity | Input): Promise<void>
  async insertOrMerge(entity: object, options?: object): Promise<void> {
    return this.#addOne('insertOrMerge', entity, options)
  }

  /** Adds {@link Table.insertOrReplace}. */
  async insertOrReplace(entity: Entity | Input): Promise<void>
  async insertOrReplace(entity: object, options?: object): Promise<void> {
    return this.#addOne('insertOrReplace', entity, options)
  }

  /** Adds {@link Table.delete}. */
  async delete(target: BulkDeletion<Entity, Key>, options?: BulkChangeOptions): Promise<void> {
    return this.#addOne('delete', target, options)
  }

  /** Adds an operation, from {@link Operation}. */
  async add<Given extends Operation>(operation: Given): Promise<void>
  async add(operation: object, options?: object): Promise<void> {
    givenEtag(options, 'add', this.#place('add'))
    return this.#add({ ...this.#parts.toOperation(operation), given: operation })
  }

  /**
   * Writes everything that is buffered, also operations whose methods are not awaited yet.
   *
   * Requests: `transactions`, each of up to 100 entities of a partition.
   *
   * @throws {@link BulkError} when an operation failed or is unknown since the last `flush`
   */
  async flush(): Promise<void> {
    await Promise.allSettled(this.#waiting) // their callers get what rejects them
    await this.#flush()
    const summary = this.#unreported
    this.#unreported = undefined
    const { table } = this.#parts.target
    if (summary !== undefined) throw new BulkError({ table, summary })
  }

  /**
   * Writes as {@link BufferedWriter.flush} does, and rejects operations that come later. May be called again.
   *
   * Requests: `transactions`, each of up to 100 entities of a partition.
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

  #addOne(kind: BulkKind, subject: object, options?: BulkChangeOptions): Promise<void> {
    const etag = givenEtag(options, kind, this.#place(kind))
    return this.#add({ kind, subject, etag, given: subject })
  }

  #place(method: string): string {
    return `${method} of a buffered writer of table ${this.#parts.target.table}`
  }

  /**
   * Buffers an operation, with its entity as it is now, and waits while too many are buffered. An object that is buffered
   * or being written waits for its earlier writes.
   */
  async #add(operation: BufferedOperation): Promise<void> {
    if (this.#isClosed) {
      const message = `${this.#place(operation.kind)}: the writer is closed. Open another one.`
      throw mapperInputError({ code: 'WriterClosed', message })
    }
    if (this.#subjects.has(operation.subject)) await this.#keepLater(operation)
    else this.#keep(operation)
    while (this.#buffered.length + this.#inFlight >= 2 * this.#maxOperations) await this.#flushing
  }

  #keepLater(operation: BufferedOperation): Promise<void> {
    const waiting = this.#keepAfterEarlier(operation).finally(() => this.#waiting.delete(waiting))
    this.#waiting.add(waiting)
    return waiting
  }

  /** The state of an object is that after its earlier writes. */
  async #keepAfterEarlier(operation: BufferedOperation): Promise<void> {
    while (this.#subjects.has(operation.subject)) await this.#flush()
    this.#keep(operation)
  }

  #keep(operation: BufferedOperation): void {
    const { target } = this.#parts
    const prepared = target.change(operation)
    if (prepared === undefined) return
    this.#bytes += changeBytes(prepared, target.service.endpoint)
    this.#buffered.push({ ...operation, prepared })
    this.#subjects.add(operation.subject)
    const isFull = this.#buffered.length >= this.#maxOperations || this.#bytes >= this.#maxBytes
    if (isFull) void this.#flush()
    else this.#timer ??= this.#startTimer()
  }

  #startTimer(): AbortController {
    const timer = new AbortController()
    const { service } = this.#parts.target
    void service.sleep(this.#maxAge, timer.signal).then(() => {
      if (!timer.signal.aborted) void this.#flush()
    })
    return timer
  }

  /** Queues a flush after the one that is running. It does not reject. */
  #flush(): Promise<void> {
    if (this.#isFlushQueued) return this.#flushing
    this.#isFlushQueued = true
    this.#flushing = this.#flushing.then(() => this.#send())
    return this.#flushing
  }

  async #send(): Promise<void> {
    this.#isFlushQueued = false
    this.#timer?.abort()
    this.#timer = undefined
    if (this.#buffered.length === 0) return
    const operations = this.#buffered
    this.#inFlight = operations.length
    this.#buffered = []
    this.#bytes = 0
    const end = pending(this.#call)
    const summary = await this.#write(operations)
    for (const { subject } of operations) this.#subjects.delete(subject)
    this.#inFlight = 0
    this.#unreported = await report(this.#onFlush, summary, this.#unreported)
    end()
  }

  /** Writes operations. It does not reject. */
  #write(operations: readonly BufferedOperation[]): Promise<BulkSummary> {
    const { target, settings } = this.#parts
    let next = 0
    const engine = new BulkEngine({
      target,
      settings,
      call: this.#call.hasDeadline ? this.#call.part() : this.#call,
      input: operations.map(({ given }) => given).values(),
      toOperation: () => operations[next++]!, // called once for each item
    })
    return engine.run()
  }
}

/**
 * Reports a flush to the caller's function.
 *
 * @param onFlush - the function
 * @param summary - how the flush ended
 * @param before - what failed before and is not reported yet
 * @returns what the next `flush` reports; `undefined` when nothing failed
 */
async function report(
  onFlush: BufferOptions['onFlush'],
  summary: BulkSummary,
  before: BulkSummary | undefined,
): Promise<BulkSummary | undefined> {
  const isIncomplete = summary.failed + summary.unknown > 0
  const unreported = isIncomplete ? addedSummary(before, summary) : before
  try {
    await onFlush?.(summary)
    return unreported
  } catch (cause) {
    return { ...(unreported ?? summary), cause }
  }
}
