import { type CallOptions, changeSetLimits, DeadlineError, type TableService } from '@rowkey/rest'
import { AdaptiveLimit } from './adaptive-limit.ts'
import { Bell } from './bell.ts'
import type { BulkSettings } from './bulk-options.ts'
import {
  type BulkEnding,
  type BulkOutcome,
  type BulkSubject,
  type BulkSummary,
  Tally,
} from './bulk-outcome.ts'
import type { BulkOperation, BulkTarget } from './bulk-target.ts'
import { type EarlierOutcome, EarlierTransactions } from './earlier-transactions.ts'
import type { InputReader } from './input-reader.ts'
import { digestOf } from './item-digest.ts'
import { type JournalEntry, JournalLog } from './journal-log.ts'
import { isDoubtful } from './judge-failure.ts'
import { OperationBuffer, type PendingOperation } from './operation-buffer.ts'
import type { OutcomeQueue } from './outcome-queue.ts'
import { notSent, type RunParts, TransactionRun } from './transaction-run.ts'
import { type Wait, Watchdog } from './watchdog.ts'

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
  /**
   * While something waits, transactions begin that could still grow: nothing will join them soon.
   */
  #waiters = 0
  /** The read of the input that is pending. */
  #pendingRead: object | undefined
  #isWatching = false
  readonly #watchdog: Watchdog | undefined
  #log: JournalLog | undefined
  readonly #earlier: EarlierTransactions
  /** How operations ended that were sent, and the journal does not record yet. */
  #unrecorded: BulkOutcome[] = []
  #ending: { readonly ending: BulkEnding; readonly cause: unknown } | undefined

  constructor(work: BulkWork) {
    const { target, settings, input } = work
    const { service } = target
    this.#work = work
    const isExact = settings.call.exactWrites ?? service.defaults.exactWrites
    this.#buffer = new OperationBuffer(changeSetLimits(service.endpoint, isExact), settings.buffer)
    this.#limit = new AdaptiveLimit(FIRST_LIMIT, settings.concurrency)
    this.#tally = new Tally(() => service.now(), settings.total ?? input.length)
    this.#run = {
      target,
      settings: { ...settings, call: withSharedDeadline(settings.call, service) },
      isExact,
      limit: this.#limit,
      signal: this.#ended.signal,
      log: () => this.#log,
      settle: (outcome) => {
        if (this.#log !== undefined) this.#unrecorded.push(outcome)
        this.#settle(outcome)
      },
      fail: (error) => this.end('failed', error),
    }
    this.#earlier = new EarlierTransactions(target, this.#run.settings.call)
    this.#watchdog = watchdogOf(work)
  }

  /** Runs to the end. It does not reject. */
  async run(): Promise<BulkSummary> {
    const { call } = this.#run.settings
    const { signal } = call
    const fail = (error: unknown) => this.end('failed', error)
    const release = this.#work.target.service.pendingCalls.whenStopped(call, (error) => {
      if (signal?.aborted) this.end('aborted', signal.reason)
      else fail(error)
    })
    this.#watchDeadline().catch(fail)
    this.#watchdog?.watch(this.#ended.signal).catch(fail)
    const failure = await this.#begun().then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    await this.#drain()
    await this.#log?.flush()
    release()
    if (failure !== undefined) this.end('failed', failure.error)
    this.#ended.abort() // ends the watches
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

  /** Opens the journal, and reads the input to its end. */
  async #begun(): Promise<void> {
    const { target, settings } = this.#work
    if (settings.journal !== undefined) {
      const { origin, basePath } = target.service.endpoint
      const place = { account: `${origin}${basePath}`, table: target.table }
      try {
        this.#log = await JournalLog.open(settings.journal, place)
      } catch (error) {
        this.end('failed', error)
      }
    }
    await this.#read()
  }

  async #read(): Promise<void> {
    const { input } = this.#work
    for (let index = 0; ; index++) {
      await this.#waitForRoom()
      if (this.#ending !== undefined) break
      const next = await this.#nextItem()
      if (next === undefined) break
      if (next.done) return
      this.#tally.read++
      await this.#accept({ index, item: next.value })
    }
    input.close()
  }

  /** Ends the write when its deadline passes, whatever it waits for. */
  async #watchDeadline(): Promise<void> {
    const { service, table } = this.#work.target
    const { signal } = this.#ended
    const { endsAt }: { readonly endsAt?: number } = Object(this.#run.settings.call.deadline)
    if (endsAt === undefined) return
    for (let now = service.now(); now < endsAt; now = service.now()) {
      await service.sleep(endsAt - now, signal)
      if (signal.aborted) return
      if (service.now() === now) await this.#bell.next() // a clock of the caller's may stand still
    }
    const message = `The bulk write to table ${table} did not end within its deadline.`
    const mayHaveApplied = this.#tally.read > 0
    this.end('failed', new DeadlineError({ message, mayHaveApplied, attempts: 0 }))
  }

  async #waitForRoom(): Promise<void> {
    const { outcomes, settings } = this.#work
    const unread = () => outcomes?.size ?? 0
    const isUnread = () => unread() >= settings.buffer
    await this.#waitWhile(() => this.#buffer.isFull)
    if (!isUnread()) return
    const loop: Wait = { waitsFor: 'loop', partitionKey: undefined, operations: unread }
    this.#watchdog?.begin(loop)
    await this.#waitWhile(isUnread)
    this.#watchdog?.end(loop)
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
    const operations = () => this.#buffer.size
    const wait: Wait = { waitsFor: 'input', partitionKey: undefined, operations }
    this.#watchdog?.begin(wait)
    while (this.#pendingRead !== undefined && this.#ending === undefined) await this.#bell.next()
    this.#watchdog?.end(wait)
    return this.#pendingRead === undefined ? item : undefined
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
      await this.#enqueue(read, operation)
    } catch (error) {
      const kind = operation?.kind ?? 'insert'
      const status = isDoubtful(error) ? 'unknown' : 'failed'
      this.#settle({ ...read, kind, key: undefined, status, error })
    }
  }

  async #enqueue(read: ReadItem, operation: BulkOperation): Promise<void> {
    const { target } = this.#work
    const digest = this.#log === undefined ? '' : digestOf(operation, target.undigested)
    const earlier = this.#find(read.index, digest)
    if (earlier?.state === 'done' || earlier?.state === 'skipped') {
      this.#settle(resumed(read, operation, earlier.state))
      return
    }
    if (this.#ending !== undefined) throw notSent(this.#ended.signal, earlier?.state === 'sent')
    const change = operation.prepared ?? target.change(operation)
    if (change === undefined) {
      const etag = target.etagOf(operation.subject)
      const { kind } = operation
      this.#settle({ ...read, kind, key: undefined, status: 'done', etag, modified: false })
      return
    }
    if (earlier?.key !== undefined) {
      const { partitionKey } = change.input.key
      const settled = await this.#earlier.outcomeOf(partitionKey, earlier.key)
      if (settled.outcome !== 'not applied') {
        return this.#settleEarlier(
          { ...read, kind: operation.kind, key: change.input.key },
          settled,
        )
      }
    }
    const bytes = target.bytesOf(change)
    this.#subjects.add(operation.subject)
    const isInDoubt = earlier?.state === 'sent' && earlier.key === undefined
    this.#buffer.add({ ...read, operation, change, bytes, digest, isInDoubt })
    this.#begin()
  }

  /** Returns how an earlier run ended an operation. Another input ends this run. */
  #find(index: number, digest: string): JournalEntry | undefined {
    try {
      return this.#log?.find(index, digest)
    } catch (error) {
      this.end('failed', error)
      throw error
    }
  }

  /**
   * Ends an operation that an earlier run sent. Its marker will be swept, so its end is recorded
   * now.
   */
  #settleEarlier(subject: BulkSubject<unknown>, settled: EarlierOutcome): void {
    if (settled.outcome === 'unknown') {
      this.#settle({ ...subject, status: 'unknown', error: settled.error })
      return
    }
    const ended = { status: 'done', resumed: true, etag: undefined, modified: false } as const
    this.#settle({ ...subject, ...ended })
    this.#unrecorded.push({ ...subject, ...ended })
    this.#record()
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
    const { partitionKey } = operations[0]!.change.input.key // a transaction has operations
    const wait: Wait = { waitsFor: 'request', partitionKey, operations: () => operations.length }
    this.#watchdog?.begin(wait)
    await new TransactionRun(this.#run).run(operations)
    this.#watchdog?.end(wait)
    this.#record()
    this.#inFlight--
    this.#buffer.release(operations)
    for (const { operation } of operations) this.#subjects.delete(operation.subject)
    this.#report()
    this.#begin()
    this.#bell.ring()
  }

  /** Sends the buffered operations, and awaits those in flight. */
  async #drain(): Promise<void> {
    this.#waiters++
    this.#begin()
    while (!this.#buffer.isEmpty) await this.#bell.next()
  }

  /** Records how operations ended. Without this line, a later run finds them in doubt. */
  #record(): void {
    const outcomes = this.#unrecorded
    this.#unrecorded = []
    for (const state of ['done', 'skipped', 'failed'] as const) {
      const ended = outcomes.filter(({ status }) => status === state)
      if (ended.length === 0) continue
      const indexes = ended.map(({ index }) => index)
      this.#log?.ended(state, indexes).catch((error) => this.end('failed', error))
    }
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

/** The outcome of an operation that an earlier run ended. */
function resumed(read: ReadItem, { kind }: BulkOperation, status: 'done' | 'skipped'): BulkOutcome {
  const ended = { ...read, kind, key: undefined, resumed: true } as const
  if (status === 'skipped') return { ...ended, status, error: undefined }
  return { ...ended, status, etag: undefined, modified: false }
}

function watchdogOf({ target, settings }: BulkWork): Watchdog | undefined {
  const { onStuck, stuckAfter } = settings
  if (onStuck === undefined) return undefined
  const { service, table } = target
  return new Watchdog({ service, table, stuckAfter, onStuck })
}

/**
 * Starts a deadline of the caller's: it holds for the whole write, and that of the account for
 * each request.
 */
function withSharedDeadline(call: CallOptions, service: TableService): CallOptions {
  return call.deadline === undefined ? call : service.withDeadline(call)
}
