import { type CallOptions, changeBytes } from '@rowkey/rest'
import { BulkEngine } from './bulk-engine.ts'
import { BulkError } from './bulk-error.ts'
import type { BufferSettings } from './bulk-options.ts'
import { addedSummary, type BulkSummary } from './bulk-outcome.ts'
import type { BulkOperation } from './bulk-target.ts'
import type { BulkWriterParts } from './bulk-writer.ts'
import { openInput } from './input-reader.ts'

/** The parts of a BufferedWriter. */
export interface BufferedWriterParts extends BulkWriterParts {
  /** When to flush, checked. */
  readonly flush: BufferSettings
}

/** The operations of a BufferedWriter: those that wait, and those that are being written. */
export class WriteBuffer {
  readonly #parts: BufferedWriterParts
  #buffered: BulkOperation[] = []
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

  constructor(parts: BufferedWriterParts) {
    const { target, settings } = parts
    // A context records all flushes.
    const call = target.service.pendingCalls.ofOneCall(settings.call)
    this.#parts = { ...parts, settings: { ...settings, call } }
  }

  /** How many operations wait for a flush. */
  get size(): number {
    return this.#buffered.length
  }

  /** How many bytes they have, as they are sent. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Buffers an operation, with its entity as it is now, and waits while too many are buffered. An object that is buffered
   * or being written waits for its earlier writes.
   */
  async add(operation: BulkOperation): Promise<void> {
    if (this.#subjects.has(operation.subject)) await this.#keepLater(operation)
    else this.#keep(operation)
    const { maxOperations } = this.#parts.flush
    while (this.#buffered.length + this.#inFlight >= 2 * maxOperations) await this.#flushing
  }

  #keepLater(operation: BulkOperation): Promise<void> {
    const waiting = this.#keepAfterEarlier(operation).finally(() => this.#waiting.delete(waiting))
    this.#waiting.add(waiting)
    return waiting
  }

  /** The state of an object is that after its earlier writes. */
  async #keepAfterEarlier(operation: BulkOperation): Promise<void> {
    while (this.#subjects.has(operation.subject)) await this.#flush()
    this.#keep(operation)
  }

  /**
   * Writes everything that was added before.
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

  #keep(operation: BulkOperation): void {
    const { target, flush } = this.#parts
    const prepared = target.change(operation)
    if (prepared === undefined) return
    this.#bytes += changeBytes(prepared, target.service.endpoint)
    this.#buffered.push({ ...operation, prepared })
    this.#subjects.add(operation.subject)
    const isFull = this.#buffered.length >= flush.maxOperations || this.#bytes >= flush.maxBytes
    if (isFull) void this.#flush()
    else this.#timer ??= this.#startTimer()
  }

  #startTimer(): AbortController {
    const timer = new AbortController()
    const { target, flush } = this.#parts
    void target.service.sleep(flush.maxAge, timer.signal).then(() => {
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
    const { target, settings, flush } = this.#parts
    const operations = this.#buffered
    this.#inFlight = operations.length
    this.#buffered = []
    this.#bytes = 0
    await target.service.pendingCalls.runSeries(settings.call, async (call) => {
      const summary = await this.#write(operations, call)
      for (const { subject } of operations) this.#subjects.delete(subject)
      this.#inFlight = 0
      this.#unreported = report(flush, summary, this.#unreported)
    })
  }

  /** Writes operations. It does not reject. */
  async #write(operations: readonly BulkOperation[], call: CallOptions): Promise<BulkSummary> {
    const { target, settings } = this.#parts
    const engine = new BulkEngine({
      target,
      settings: { ...settings, call },
      input: openInput(operations, `flush of a buffered writer of table ${target.table}`),
      toOperation: (item) => item as BulkOperation, // from `operations`
    })
    const summary = await engine.run()
    // A flush that ended early has not read all of its operations.
    const unread = operations.length - summary.read
    return { ...summary, read: operations.length, failed: summary.failed + unread }
  }
}

/**
 * Reports a flush to the caller's function.
 *
 * @param settings - have the function
 * @param summary - how the flush ended
 * @param before - what failed before and is not reported yet
 * @returns what the next `flush` reports; `undefined` when nothing failed
 */
function report(
  { onFlush }: BufferSettings,
  summary: BulkSummary,
  before: BulkSummary | undefined,
): BulkSummary | undefined {
  const isIncomplete = summary.failed + summary.unknown > 0
  const unreported = isIncomplete ? addedSummary(before, summary) : before
  try {
    onFlush?.(summary)
    return unreported
  } catch (cause) {
    return { ...(unreported ?? summary), cause }
  }
}
