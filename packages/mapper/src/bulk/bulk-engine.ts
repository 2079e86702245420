import { type CallOptions, changeBytes, changeSetLimits, type TableService } from '@rowkey/rest'
import { AdaptiveLimit } from './adaptive-limit.ts'
import { Bell } from './bell.ts'
import type { BulkSettings } from './bulk-options.ts'
import type { BulkEnding, BulkOutcome, BulkSummary } from './bulk-outcome.ts'
import type { BulkOperation, BulkTarget } from './bulk-target.ts'
import type { InputReader } from './input-reader.ts'
import { OperationBuffer } from './operation-buffer.ts'
import type { OutcomeQueue } from './outcome-queue.ts'
import type { PendingOperation } from './partition-queue.ts'
import { Tally } from './tally.ts'
import { notSent, type RunParts, TransactionRun } from './transaction-run.ts'

/** So many transactions are in flight at first, unless fewer are allowed. */
const FIRST_LIMIT = 4
/** After so many milliseconds without input, operations that wait are sent. */
const IDLE_AFTER = 5

/** One bulk write: what to read, where to write, and who observes it. */
export interface BulkWork {
  readonly target: BulkTarget
  readonly settings: BulkSettings
  readonly input: InputReader<unknown>
  /** Makes an operation of an item of the input; throws an InputError for an invalid item. */
  readonly toOperation: (item: unknown) => BulkOperation
  /** Receives the outcomes; `undefined` when only the summary is wanted. */
  readonly outcomes: OutcomeQueue | undefined
}

/** An item of the input, and its place. */
interface ReadItem {
  readonly index: number
  readonly item: unknown
}

/** Reads operations, sends them in transactions, and reports the outcome of each. */
export class BulkEngine {
  readonly #work: BulkWork
  readonly #buffer: OperationBuffer
  readonly #limit: AdaptiveLimit
  readonly #tally: Tally
  readonly #run: RunParts
  readonly #bell = new Bell()
  /** Aborts when the write ends. */
  readonly #ended = new AbortController()
  /** The caller's objects that wait or are being written. */
  readonly #subjects = new Set<object>()
  #inFlight = 0
  /** While something waits, transactions begin that could still grow: nothing will join them soon. */
  #waiters = 0
  /** The read of the input that is pending. */
  #pendingRead: object | undefined
  #isWatching = false
  #ending: { readonly ending: BulkEnding; readonly cause: unknown } | undefined

  constructor(work: BulkWork) {
    const { target, settings, input } = work
    const { service } = target
    this.#work = work
    this.#buffer = new OperationBuffer(
      changeSetLimits(service.endpoint, isExact(work)),
      settings.buffer,
    )
    this.#limit = new AdaptiveLimit(FIRST_LIMIT, settings.concurrency)
    this.#tally = new Tally(() => service.now(), settings.total ?? input.length)
    this.#run = {
      target,
      settings: { ...settings, call: withSharedDeadline(settings.call, service) },
      limit: this.#limit,
      signal: this.#ended.signal,
      settle: (outcome) => this.#settle(outcome),
      fail: (error) => this.end('failed', error),
    }
  }

  /** Runs to the end. It does not reject. */
  async run(): Promise<BulkSummary> {
    const { signal } = this.#work.settings.call
    const abort = () => this.end('aborted', signal?.reason)
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
    const failure = await this.#read().then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    await this.#drain()
    signal?.removeEventListener('abort', abort)
    if (failure !== undefined) this.end('failed', failure.error)
    this.#ended.abort() // ends the watch over the input
    const { ending, cause } = this.#ending ?? { ending: 'complete', cause: undefined }
    this.#work.outcomes?.end()
    return this.#tally.summary(ending, cause)
  }

  /** Ends the write early: nothing new is sent. */
  end(ending: BulkEnding, cause: unknown): void {
    if (this.#ending !== undefined) return
    this.#ending = { ending, cause }
    this.#ended.abort(cause)
    this.#bell.ring()
  }

  /** Goes on when the caller's loop has read outcomes. */
  resume(): void {
    this.#bell.ring()
  }

  async #read(): Promise<void> {
    const { input } = this.#work
    for (let index = 0; ; index++) {
      await this.#waitWhile(() => this.#isHeldUp)
      if (this.#ending !== undefined) break
      const next = await this.#nextItem()
      if (next === undefined) break
      if (next.done) return
      this.#tally.read++
      await this.#accept({ index, item: next.value })
    }
    input.close()
  }

  get #isHeldUp(): boolean {
    const unread = this.#work.outcomes?.size ?? 0
    return this.#buffer.isFull || unread >= this.#work.settings.buffer
  }

  /** Reads the next item; `undefined` when the write ends first. */
  async #nextItem(): Promise<IteratorResult<unknown> | undefined> {
    const next = this.#work.input.next()
    if (!('then' in next)) return next
    const item = Promise.resolve(next).finally(() => {
      this.#pendingRead = undefined
      this.#bell.ring()
    })
    item.catch(() => {}) // it is awaited below, unless the write ends first
    this.#pendingRead = item
    void this.#watchInput()
    while (this.#pendingRead !== undefined) {
      if (this.#ending !== undefined) return undefined
      await this.#bell.next()
    }
    return item
  }

  /** Sends what waits when the input is slow. */
  async #watchInput(): Promise<void> {
    if (this.#isWatching) return
    this.#isWatching = true
    const { sleep } = this.#work.target.service
    while (this.#pendingRead !== undefined && this.#ending === undefined) {
      const pending = this.#pendingRead
      await sleep(IDLE_AFTER, this.#ended.signal)
      await this.#waitWhile(() => this.#pendingRead === pending)
    }
    this.#isWatching = false
  }

  /** Waits, and meanwhile also sends transactions that could still grow. */
  async #waitWhile(isTrue: () => boolean): Promise<void> {
    this.#waiters++
    while (isTrue() && this.#ending === undefined) {
      this.#begin()
      await this.#bell.next()
    }
    this.#waiters--
  }

  async #accept(read: ReadItem): Promise<void> {
    let operation: BulkOperation | undefined
    try {
      operation = this.#work.toOperation(read.item)
      // Its state is that after its earlier writes.
      const { subject } = operation
      await this.#waitWhile(() => this.#subjects.has(subject))
      this.#enqueue(read, operation)
    } catch (error) {
      const kind = operation?.kind ?? 'insert'
      this.#settle({ ...read, kind, key: undefined, status: 'failed', error })
    }
  }

  #enqueue(read: ReadItem, operation: BulkOperation): void {
    const { target } = this.#work
    if (this.#ending !== undefined) throw notSent(this.#ended.signal)
    const change = target.change(operation)
    if (change === undefined) {
      const etag = target.etagOf(operation.subject)
      const { kind } = operation
      this.#settle({ ...read, kind, key: undefined, status: 'done', etag, modified: false })
      return
    }
    const bytes = changeBytes(change, target.service.endpoint)
    this.#subjects.add(operation.subject)
    this.#buffer.add({ ...read, operation, change, bytes })
    this.#begin()
  }

  /** Begins as many transactions as may be in flight. */
  #begin(): void {
    while (this.#inFlight < this.#limit.current) {
      const operations = this.#buffer.take(this.#waiters > 0)
      if (operations === undefined) return
      this.#inFlight++
      void this.#send(operations)
    }
  }

  async #send(operations: readonly PendingOperation[]): Promise<void> {
    await new TransactionRun(this.#run).send(operations)
    this.#inFlight--
    this.#buffer.release(operations)
    for (const { operation } of operations) this.#subjects.delete(operation.subject)
    this.#report()
    this.#begin()
    this.#bell.ring()
  }

  /** Sends what waits, and waits for what is in flight. */
  async #drain(): Promise<void> {
    this.#waiters++
    this.#begin()
    while (!this.#buffer.isEmpty) await this.#bell.next()
  }

  #settle(outcome: BulkOutcome): void {
    this.#tally.count(outcome)
    this.#work.outcomes?.push(outcome)
  }

  #report(): void {
    try {
      this.#work.settings.onProgress?.(this.#tally.progress())
    } catch (error) {
      this.end('failed', error)
    }
  }
}

/** Starts a deadline of the caller's: it holds for the whole write, and that of the account for each request. */
function withSharedDeadline(call: CallOptions, service: TableService): CallOptions {
  return call.deadline === undefined ? call : service.withDeadline(call)
}

/** Every transaction of an exact write has a marker too. */
function isExact({ target, settings }: BulkWork): boolean {
  const { exactWrites = target.service.defaults.exactWrites, idempotencyKey } = settings.call
  return exactWrites || idempotencyKey !== undefined
}
