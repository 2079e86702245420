import type { InputError } from '@rowkey/odata'
import type { ProjectionOf } from '@rowkey/query'
import { checkOptions, namedChangeBytes, partNotLoaded } from '@rowkey/rest'
import type { BufferSettings } from './bulk-options.ts'
import type { BulkSummary } from './bulk-outcome.ts'
import type { BulkKind, BulkOperation, BulkTarget } from './bulk-target.ts'
import type { BulkChangeOptions, BulkDeletion, BulkWriterParts } from './bulk-writer.ts'

/** The parts of a {@link BufferedWriter}. */
export interface BufferedWriterParts extends BulkWriterParts {
  /** When to flush, checked. */
  readonly flush: BufferSettings
  /** Makes a change from the entity as it is now; `undefined` when there is nothing to send. */
  readonly change: BulkTarget['change']
  /** Makes an operation of an operation value; rejects with an InputError for anything else. */
  readonly toOperation: (value: unknown) => BulkOperation | Promise<never>
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
  readonly #parts: BufferedWriterParts
  #buffered: KeptOperation[] = []
  #bytes = 0
  /** The objects that are buffered or being written. */
  #subjects = new Set<object>()
  /** How many operations are being written. */
  #inFlight = 0
  /** The last flush. Flushes run one after another. */
  #flushing: Promise<void> = Promise.resolve()
  #isFlushQueued = false
  /** Ends the wait for the age of the buffer. */
  #timer: AbortController | undefined
  #isClosed = false
  /** Loaded by the first flush. */
  #loaded: FlushParts | undefined
  /** What failed since the last report. */
  #unreported: BulkSummary | undefined

  /** @internal */
  constructor(parts: BufferedWriterParts) {
    this.#parts = parts
  }

  /** How many operations wait for a flush. */
  get size(): number {
    return this.#buffered.length
  }

  /** How many bytes they have, as they are sent. */
  get bytes(): number {
    return this.#bytes
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
   * Writes everything that is buffered.
   *
   * @throws {@link BulkError} when an operation failed or is unknown since the last `flush`
   */
  async flush(): Promise<void> {
    await this.#flush()
    const summary = this.#unreported
    this.#unreported = undefined
    if (summary !== undefined) throw this.#loaded?.code.flushError(this.#parts.table, summary)
  }

  /**
   * Writes everything that is buffered, and rejects operations that come later. May be called again.
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
    checkOptions(options, ['etag'], this.#place(kind))
    return this.#add({ kind, subject, etag: options.etag })
  }

  async #add(operation: BulkOperation): Promise<void> {
    const { kind, subject } = operation
    if (this.#isClosed) throw await this.#closed(kind)
    // The state of an object is that after its earlier writes.
    while (this.#subjects.has(subject)) await this.#flush()
    if (this.#isClosed) throw await this.#closed(kind)
    const kept = this.#keep(operation)
    const { maxOperations } = this.#parts.flush
    while (this.#buffered.length + this.#inFlight >= 2 * maxOperations) {
      try {
        await this.#flushing
      } catch (error) {
        if (kept !== undefined) this.#withdraw(kept)
        throw error
      }
    }
  }

  /** Buffers an operation; returns `undefined` when there is nothing to send. */
  #keep(operation: BulkOperation): KeptOperation | undefined {
    const { service, flush } = this.#parts
    const prepared = this.#parts.change(operation)
    if (prepared === undefined) return undefined
    const kept = { ...operation, prepared, bytes: namedChangeBytes(prepared, service.endpoint) }
    this.#buffered.push(kept)
    this.#subjects.add(operation.subject)
    this.#bytes += kept.bytes
    const isFull = this.#buffered.length >= flush.maxOperations || this.#bytes >= flush.maxBytes
    if (isFull) this.#flushLater()
    else this.#timer ??= this.#startTimer()
    return kept
  }

  /** Takes an operation out of the buffer again: a flush that cannot load its code has left it there. */
  #withdraw(kept: KeptOperation): void {
    this.#buffered = this.#buffered.filter((each) => each !== kept)
    this.#subjects.delete(kept.subject)
    this.#bytes -= kept.bytes
  }

  #startTimer(): AbortController {
    const timer = new AbortController()
    const { service, flush } = this.#parts
    void service.sleep(flush.maxAge, timer.signal).then(() => {
      if (!timer.signal.aborted) this.#flushLater()
    })
    return timer
  }

  /** Begins a flush that nothing waits for. Without its code, the operations wait for the next flush. */
  #flushLater(): void {
    this.#flush().catch(() => {})
  }

  /** Queues a flush after the one that is running. It rejects only when the code cannot be loaded. */
  #flush(): Promise<void> {
    if (this.#isFlushQueued) return this.#flushing
    this.#isFlushQueued = true
    const send = () => this.#send()
    this.#flushing = this.#flushing.then(send, send)
    return this.#flushing
  }

  async #send(): Promise<void> {
    this.#isFlushQueued = false
    this.#timer?.abort()
    this.#timer = undefined
    if (this.#buffered.length === 0) return
    const { service, settings, flush } = this.#parts
    const [operations, bytes] = [this.#buffered, this.#bytes]
    this.#inFlight = operations.length
    this.#buffered = []
    this.#bytes = 0
    await service.pendingCalls.runSeries(settings.call, async (call) => {
      this.#loaded ??= await this.#load(operations, bytes)
      const { code, target } = this.#loaded
      const work = { target, settings: { ...settings, call } }
      const summary = await code.writeBuffered(work, operations)
      for (const { subject } of operations) this.#subjects.delete(subject)
      this.#inFlight = 0
      this.#unreported = code.report(flush, summary, this.#unreported)
    })
  }

  /** Loads what flushes need. If that fails, the operations wait for the next flush. */
  async #load(operations: KeptOperation[], bytes: number): Promise<FlushParts> {
    try {
      return {
        code: await import('./write-buffered.ts').catch(partNotLoaded),
        target: await this.#parts.target(),
      }
    } catch (error) {
      this.#buffered = [...operations, ...this.#buffered]
      this.#bytes += bytes
      this.#inFlight = 0
      throw error
    }
  }

  /** Says that the writer is closed. */
  async #closed(kind: BulkKind): Promise<InputError> {
    const { closedError } = await import('./write-buffered.ts').catch(partNotLoaded)
    return closedError(this.#place(kind))
  }

  #place(method: string): string {
    return `${method} of a buffered writer of table ${this.#parts.table}`
  }
}

/** An operation in the buffer. */
interface KeptOperation extends BulkOperation {
  /** The bytes of its change. */
  readonly bytes: number
}

/** What flushes need. */
interface FlushParts {
  readonly code: typeof import('./write-buffered.ts')
  /** Writes to the table. */
  readonly target: BulkTarget
}
