import { levelOfRun, RequestGate, type RequestSlot } from '@rowkey/query'
import { changeBytes, changeSetLimits, DeadlineError, mayHaveApplied } from '@rowkey/rest'
import { levelOf } from '../options/account-level.ts'
import { snapshotOf } from '../snapshot/snapshot.ts'
import { Bell } from './bell.ts'
import { BulkEnd } from './bulk-end.ts'
import {
  type BulkEnding,
  type BulkOutcome,
  type BulkSummary,
  resumedOutcome,
  Tally,
} from './bulk-outcome.ts'
import type { BulkOperation } from './bulk-target.ts'
import type { BulkWork } from './bulk-work.ts'
import { EarlierTransactions } from './journal/earlier-transactions.ts'
import { HeldRows, outOfTurn } from './journal/held-rows.ts'
import { digestOf } from './journal/item-digest.ts'
import { type JournalEntry, JournalLog } from './journal/journal-log.ts'
import { OperationBuffer, type PendingOperation } from './operation-buffer.ts'
import type { OutcomeQueue } from './outcome-queue.ts'
import { changeOf, type RunParts, subjectOf, TransactionRun } from './transaction-run.ts'

/** After so many milliseconds without input, operations that wait are sent. */
const IDLE_AFTER = 5
/** How many outcomes may be unread, unless the caller says otherwise. */
const MOST_UNREAD = 2_000

/** An item of the input, and its place. */
interface ReadItem {
  readonly index: number
  readonly item: unknown
}

/** Reads operations, sends them in transactions, and reports the outcome of each. */
export class BulkEngine {
  readonly #work: BulkWork
  readonly #outcomes: OutcomeQueue | undefined
  readonly #buffer: OperationBuffer
  readonly #gate: RequestGate
  readonly #tally: Tally
  readonly #run: RunParts
  readonly #bell = new Bell()
  readonly #end = new BulkEnd(() => this.#bell.ring())
  /** The caller's objects that wait or are being written. */
  readonly #subjects = new Set<object>()
  /**
   * While one of these holds, transactions begin that could still grow: nothing will join them soon.
   */
  readonly #waits = new Set<() => boolean>()
  /** The read of the input that is pending. */
  #pendingRead: object | undefined
  #isWatching = false
  readonly #earlier: EarlierTransactions
  readonly #held = new HeldRows()
  /** How operations ended that were sent, and the journal does not record yet. */
  #unrecorded: BulkOutcome[] = []

  /**
   * @param work - what to read, and where to write
   * @param outcomes - receives the outcomes; absent when only the summary is wanted
   */
  constructor(work: BulkWork, outcomes?: OutcomeQueue) {
    const { target, settings, input, call } = work
    const { service } = target
    this.#work = work
    this.#outcomes = outcomes
    const isExact = call.given.exactWrites ?? service.exactWrites
    this.#buffer = new OperationBuffer(changeSetLimits(service.endpoint, isExact), settings.buffer)
    this.#gate = new RequestGate(levelOfRun(settings.concurrency, levelOf(service)), () =>
      this.#begin(),
    )
    this.#tally = new Tally(() => service.now(), settings.total ?? input.length)
    this.#run = {
      work,
      isExact,
      log: undefined,
      buffer: this.#buffer,
      end: this.#end,
      settle: (outcome) => {
        if (this.#run.log !== undefined) this.#unrecorded.push(outcome)
        this.#settle(outcome)
      },
    }
    this.#earlier = new EarlierTransactions(target, call)
  }

  /** Runs to the end. It does not reject. */
  async run(): Promise<BulkSummary> {
    const { call } = this.#work
    const { signal } = call
    const fail = (error: unknown) => this.#end.fail(error)
    const release = call.whenStopped((error) => {
      if (signal?.aborted) this.end('aborted', signal.reason)
      else fail(error)
    })
    this.#watchDeadline().catch(fail)
    const failure = await this.#begun().then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    await this.#drain()
    await this.#run.log?.flush()
    release()
    if (failure !== undefined) fail(failure.error)
    const { ending, cause } = this.#end.by('complete', undefined) // ends the watches
    return this.#tally.summary(ending, cause)
  }

  /** Ends the write early: nothing new is sent. */
  end(ending: BulkEnding, cause: unknown): void {
    this.#end.by(ending, cause)
  }

  /** Goes on when the caller's loop has read outcomes. */
  resume(): void {
    this.#bell.ring()
  }

  /** Opens the journal, and reads the input to its end. */
  async #begun(): Promise<void> {
    const { target, settings } = this.#work
    if (settings.journal !== undefined) {
      try {
        this.#run.log = await JournalLog.open(settings.journal, target)
      } catch (error) {
        this.#end.fail(error)
      }
    }
    await this.#read()
  }

  async #read(): Promise<void> {
    const { input } = this.#work
    // An await for each item would cost as much as the rest.
    for (let index = 0; ; index++) {
      if (this.#buffer.isFull || this.#isUnread) await this.#waitForRoom()
      if (this.#end.isOver && input.close) break
      const item = input.next()
      const next = 'then' in item ? await this.#awaited(item) : item
      if (next === undefined) break
      if (next.done) return
      this.#tally.read++
      const accepted = this.#accept({ index, item: next.value })
      if (accepted !== undefined) await accepted
    }
    input.close?.()
  }

  /** Ends the write when its deadline passes, whatever it waits for. */
  async #watchDeadline(): Promise<void> {
    const { service, table } = this.#work.target
    const { signal } = this.#end
    const { endsAt } = this.#work.call
    if (endsAt === Number.POSITIVE_INFINITY) return
    for (let now = service.now(); now < endsAt; now = service.now()) {
      await service.sleep(endsAt - now, signal)
      if (signal.aborted) return
      if (service.now() === now) await this.#bell.next() // a clock of the caller's may stand still
    }
    const message = `The bulk write to table ${table} did not end within its deadline.`
    const mayHaveApplied = this.#tally.read > 0
    this.#end.fail(new DeadlineError({ message, mayHaveApplied, attempts: 0 }))
  }

  /** Whether the caller's loop has too many outcomes to read. */
  get #isUnread(): boolean {
    return (this.#outcomes?.size ?? 0) >= (this.#work.settings.buffer ?? MOST_UNREAD)
  }

  async #waitForRoom(): Promise<void> {
    await this.#waitWhile(() => this.#buffer.isFull)
    await this.#waitWhile(() => this.#isUnread)
  }

  /** Waits for the next item; `undefined` when the write ends first. */
  async #awaited(
    next: PromiseLike<IteratorResult<unknown>>,
  ): Promise<IteratorResult<unknown> | undefined> {
    const item = Promise.resolve(next).finally(() => {
      this.#pendingRead = undefined
      this.#bell.ring()
    })
    item.catch(() => {}) // it is awaited below, unless the write ends first
    this.#pendingRead = item
    void this.#watchInput()
    while (this.#pendingRead !== undefined && !this.#end.isOver) await this.#bell.next()
    return this.#pendingRead === undefined ? item : undefined
  }

  /** Sends what waits when the input is slow. */
  async #watchInput(): Promise<void> {
    if (this.#isWatching) return
    this.#isWatching = true
    const { sleep } = this.#work.target.service
    while (this.#pendingRead !== undefined && !this.#end.isOver) {
      const pending = this.#pendingRead
      await sleep(IDLE_AFTER, this.#end.signal)
      await this.#waitWhile(() => this.#pendingRead === pending)
    }
    this.#isWatching = false
  }

  /** Waits, and meanwhile also sends transactions that could still grow. */
  async #waitWhile(isTrue: () => boolean): Promise<void> {
    this.#waits.add(isTrue)
    while (isTrue() && !this.#end.isOver) {
      this.#begin()
      await this.#bell.next()
    }
    this.#waits.delete(isTrue)
  }

  /** Accepts an item of the input. Most need not wait. */
  #accept(read: ReadItem): Promise<void> | undefined {
    let operation: BulkOperation | undefined
    try {
      operation = this.#work.toOperation(read.item)
      const accepted = this.#subjects.has(operation.subject)
        ? this.#enqueueAgain(read, operation)
        : this.#enqueue(read, operation)
      return accepted?.catch((error: unknown) => this.#reject(read, operation, error))
    } catch (error) {
      this.#reject(read, operation, error)
      return undefined
    }
  }

  /** Ends an operation that was not sent. */
  #reject({ index, item }: ReadItem, operation: BulkOperation | undefined, error: unknown): void {
    const kind = operation?.kind ?? 'insert'
    const status = mayHaveApplied(error) ? 'unknown' : 'failed'
    this.#settle({ index, item, kind, key: undefined, status, error })
  }

  /** The state of an object is that after its earlier writes. */
  async #enqueueAgain(read: ReadItem, operation: BulkOperation): Promise<void> {
    await this.#waitWhile(() => this.#subjects.has(operation.subject))
    await this.#enqueue(read, operation)
  }

  #enqueue(read: ReadItem, operation: BulkOperation): Promise<void> | undefined {
    const { target } = this.#work
    const digest = this.#run.log === undefined ? '' : digestOf(operation, target)
    const earlier = this.#find(read.index, digest)
    if (earlier?.state === 'done' || earlier?.state === 'skipped') {
      this.#settle(resumedOutcome({ ...read, kind: operation.kind }, earlier.state))
      return undefined
    }
    const wasSent = earlier?.state === 'sent'
    if (this.#end.isOver) throw this.#end.notSent(wasSent)
    if (earlier?.state === 'overtaken')
      throw outOfTurn('An earlier run sent a later operation on the row.')
    const change = changeOf(target, operation, wasSent)
    if (change === undefined) {
      const etag = snapshotOf(operation.subject)?.etag
      const { kind } = operation
      this.#settle({ ...read, kind, key: undefined, status: 'done', etag, modified: false })
      return undefined
    }
    const isInDoubt = wasSent && earlier.key === undefined
    const bytes = changeBytes(change, target.service.endpoint)
    const pending = { ...read, operation, change, bytes, digest, isInDoubt }
    if (earlier?.key !== undefined) return this.#addUnlessApplied(pending, earlier.key)
    this.#add(pending)
    return undefined
  }

  /**
   * Adds an operation that an earlier run sent in an exact transaction, unless it was applied. The marker of the transaction will be
   * swept, so the end of the operation is recorded now.
   */
  async #addUnlessApplied(pending: PendingOperation, key: string): Promise<void> {
    const subject = subjectOf(pending)
    const { partitionKey } = pending.change.input.key
    const settled = await this.#earlier.outcomeOf(partitionKey, key)
    if (settled.outcome === 'not applied') return this.#add(pending)
    if (settled.outcome === 'unknown') {
      return this.#settle({ ...subject, status: 'unknown', error: settled.error })
    }
    this.#run.settle(resumedOutcome(subject, 'done'))
    this.#record()
  }

  #add(pending: PendingOperation): void {
    this.#subjects.add(pending.operation.subject)
    this.#buffer.add(pending)
    this.#begin()
  }

  /** Returns how an earlier run ended an operation. Another input ends this run. */
  #find(index: number, digest: string): JournalEntry | undefined {
    try {
      return this.#run.log?.find(index, digest)
    } catch (error) {
      this.#end.fail(error)
      throw error
    }
  }

  get #isWaiting(): boolean {
    for (const isTrue of this.#waits) if (isTrue()) return true
    return false
  }

  /** Begins as many transactions as may be in flight. */
  #begin(): void {
    for (;;) {
      const partition = this.#buffer.nextPartition(() => this.#isWaiting)
      const slot = partition === undefined ? undefined : this.#gate.begin(partition)
      if (slot === undefined) return
      void this.#send(this.#buffer.take(partition!), slot)
    }
  }

  async #send(operations: readonly PendingOperation[], slot: RequestSlot): Promise<void> {
    const onThrottled = () => this.#gate.throttled(slot)
    const ready = this.#held.notHeld(operations, (outcome) => this.#settle(outcome))
    const isApplied = await new TransactionRun(this.#run, onThrottled).run(ready)
    this.#record()
    if (this.#work.settings.onProgress !== undefined) await this.#report()
    this.#buffer.release(operations)
    for (const { operation } of operations) this.#subjects.delete(operation.subject)
    this.#gate.end(slot, isApplied) // begins the next
    this.#bell.ring()
  }

  /** Sends the buffered operations, and awaits those in flight. */
  async #drain(): Promise<void> {
    this.#waits.add(() => true)
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
      this.#run.log?.ended(state, ended).catch((error) => this.#end.fail(error))
    }
  }

  #settle(outcome: BulkOutcome): void {
    if (this.#run.log !== undefined) this.#held.add(outcome)
    this.#tally.count(outcome)
    this.#outcomes?.push(outcome)
  }

  async #report(): Promise<void> {
    try {
      await this.#work.settings.onProgress?.(this.#tally.progress())
    } catch (error) {
      this.#end.fail(error)
    }
  }
}
