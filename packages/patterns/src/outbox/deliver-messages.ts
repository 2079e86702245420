import type { KeptTable } from '@rowkey/mapper'
import { isRowkeyError } from '@rowkey/odata'
import {
  type CallOptions,
  type Change,
  deleteEntity,
  deleteEntityIfExists,
  entityGroupTransaction,
  insertEntity,
  insertOrReplaceEntity,
  perform,
  updateEntity,
} from '@rowkey/rest'
import { isConflict } from '../conflicts/retry-conflicts.ts'
import { delayAfter, reasonOf } from '../queues/failed-attempt.ts'
import type { OutboxPartition } from './outbox-keeper.ts'
import {
  deadKey,
  headInput,
  messageInput,
  type OutboxHead,
  type OutboxPlace,
  type StoredMessage,
} from './outbox-rows.ts'
import { type OutboxView, readOutbox } from './stored-outbox.ts'

/** How messages are delivered. */
export interface DeliveryRules {
  readonly beginning: string
  /** Announces a job, in the account of the table. */
  readonly announce: (
    partition: OutboxPartition,
    delay: number,
    options: CallOptions,
  ) => Promise<void>
  readonly newId: () => string
  /** How often a message is tried before it becomes a dead letter. */
  readonly attempts: number
  /** Milliseconds after an announcement after which its write, if it is still pending, is made to start again. */
  readonly writeTimeout: number
  readonly handle: (message: StoredMessage, options: CallOptions) => Promise<void>
}

/** The most deletes in one transaction, with the change of the head. */
const MOST_DELETES = 99

/**
 * Delivers the messages of a partition, one after another. A message whose handler fails waits, and so do those that follow it about
 * the same entity; the others go on.
 *
 * The run ends by changing the head, on condition of the version that had no other messages. A write that stores messages in
 * between changes it first, so no message is left without a job.
 */
export class OutboxDelivery {
  readonly #table: KeptTable
  readonly #place: OutboxPlace
  readonly #rules: DeliveryRules
  readonly #options: CallOptions
  /** The RowKeys of the messages that this run has tried. */
  readonly #tried = new Set<string>()
  /** The messages that are handled and not deleted yet. */
  #done: StoredMessage[] = []
  #deleting: Promise<void> = Promise.resolve()
  #handled = 0

  /**
   * @param table - the table
   * @param partitionKey - its partition
   * @param rules - how messages are handled
   * @param options - the options of all calls
   */
  constructor(table: KeptTable, partitionKey: string, rules: DeliveryRules, options: CallOptions) {
    this.#table = table
    this.#place = { table: table.name, partitionKey, beginning: rules.beginning }
    this.#rules = rules
    this.#options = options
  }

  /** Delivers all messages that are due, if the job is the one that does. Returns how many were handled. */
  async run(partition: OutboxPartition): Promise<number> {
    const view = await readOutbox(this.#table, this.#place, this.#options)
    const { ticket } = partition
    if (ticket === undefined || ticket === view.head.ticket) return this.#deliverAll(view, ticket)
    // Another job delivers, or the write of this announcement was rejected.
    if (partition.known !== view.head.etag) return 0
    if (!partition.again) {
      const { writeTimeout } = this.#rules
      await this.#rules.announce({ ...partition, again: true }, writeTimeout, this.#series())
      return 0
    }
    // A write that comes after this job is rejected, and announces itself anew.
    return (await this.#changeHead(view.head, {}, [])) ? 0 : this.run(partition)
  }

  /** Announces a job for the messages that are stored. */
  async announce(): Promise<void> {
    for (;;) {
      const { head } = await readOutbox(this.#table, this.#place, this.#options)
      const announced = await this.#announceAt(head, this.#now())
      if (await this.#changeHead(head, announced, [])) return
    }
  }

  async #deliverAll(first: OutboxView, ticket: string | undefined): Promise<number> {
    for (let view = first; ; view = await readOutbox(this.#table, this.#place, this.#options)) {
      const next = await this.#deliver(view.messages)
      await this.#deleting
      if (await this.#release(view.head, ticket, next)) {
        if (view.unreadable !== undefined) throw view.unreadable
        return this.#handled
      }
    }
  }

  /** Handles the messages of one look, and returns when the first of those that wait is due. */
  async #deliver(messages: readonly StoredMessage[]): Promise<number> {
    const waiting = new Set<string>()
    let next = Number.POSITIVE_INFINITY
    const wait = ({ source, after }: Pick<StoredMessage, 'source' | 'after'>): void => {
      waiting.add(source)
      next = Math.min(next, after)
    }
    for (const message of messages) {
      if (this.#tried.has(message.key.rowKey)) continue
      if (waiting.has(message.source)) continue
      if (message.after > this.#now()) {
        wait(message)
        continue
      }
      this.#tried.add(message.key.rowKey)
      // The messages before this one are deleted while it is handled.
      this.#deleteDone()
      try {
        await this.#rules.handle(message, this.#options)
        this.#done.push(message)
        this.#handled++
      } catch (error) {
        const failed = await this.#failed(message, error)
        if (failed !== undefined) wait(failed)
      }
    }
    return next
  }

  /** Stores that a message failed; returns `undefined` when it became a dead letter. */
  async #failed(message: StoredMessage, error: unknown): Promise<StoredMessage | undefined> {
    // The end of the worker or of the account says nothing about the message.
    if (this.#options.signal?.aborted || isClosed(error)) throw error
    const { key, etag } = message
    const attempts = message.attempts + 1
    const after = this.#now() + delayAfter(attempts)
    const failed = { ...message, attempts, after, reason: reasonOf(error) }
    const { name: table } = this.#table
    if (attempts < this.#rules.attempts) {
      this.#tried.delete(key.rowKey)
      await this.#unlessGone([
        { operation: updateEntity, input: { ...messageInput(table, failed), etag } },
      ])
      return failed
    }
    const dead = { ...failed, key: deadKey(this.#place, key) }
    await this.#unlessGone([
      { operation: deleteEntity, input: { table, key, body: '', etag } },
      { operation: insertOrReplaceEntity, input: messageInput(table, dead) },
    ])
    return undefined
  }

  /** Sends changes of a message, unless another worker has handled it. */
  async #unlessGone(changes: readonly Change[]): Promise<void> {
    try {
      await this.#send(changes)
    } catch (error) {
      if (!isConflict(error)) throw error
    }
  }

  #deleteDone(): void {
    if (this.#done.length === 0) return
    const done = this.#done
    this.#done = []
    this.#deleting = this.#deleting.then(() => this.#delete(done))
    this.#deleting.catch(() => undefined) // the run awaits it
  }

  async #delete(done: readonly StoredMessage[]): Promise<void> {
    for (let from = 0; from < done.length; from += MOST_DELETES) {
      const part = done.slice(from, from + MOST_DELETES)
      try {
        await this.#send(part.map((each) => this.#removal(each)))
      } catch (error) {
        if (!isConflict(error)) throw error
        // Another worker has deleted one of them.
        for (const { key } of part) await this.#deleteIfExists(key)
      }
    }
  }

  async #deleteIfExists(key: StoredMessage['key']): Promise<void> {
    const { service, name: table } = this.#table
    const input = { table, key, body: '', etag: '*' }
    await perform(service, deleteEntityIfExists, input, this.#options)
  }

  #removal({ key }: StoredMessage): Change {
    return {
      operation: deleteEntity,
      input: { table: this.#table.name, key, body: '', etag: '*' },
    }
  }

  /**
   * Ends the run, unless messages came.
   *
   * @param next - when the first message that waits is due
   */
  async #release(head: OutboxHead, ticket: string | undefined, next: number): Promise<boolean> {
    const done = this.#done
    this.#done = []
    const isWaiting = Number.isFinite(next)
    // Without a ticket, the announced job comes and finds what is left.
    const isOwn = ticket !== undefined || isWaiting
    if (!isOwn) {
      await this.#delete(done)
      return true
    }
    const renewed = isWaiting ? await this.#announceAt(head, next) : { ticket: '' }
    const last = done.splice(-MOST_DELETES)
    await this.#delete(done)
    if (
      await this.#changeHead(
        head,
        renewed,
        last.map((each) => this.#removal(each)),
      )
    )
      return true
    // A message came, or another worker deleted one of these.
    await this.#delete(last)
    return false
  }

  async #announceAt(head: OutboxHead, next: number): Promise<Partial<OutboxHead>> {
    const { announce, newId } = this.#rules
    const { table, partitionKey } = this.#place
    const ticket = newId()
    const now = this.#now()
    const partition = { table, partitionKey, ticket, known: head.etag }
    await announce(partition, Math.max(0, next - now), this.#series())
    return { ticket, announcedAt: Math.max(now, next) }
  }

  /** Changes the head at its version, together with deletes; returns false when it is another version. */
  async #changeHead(
    head: OutboxHead,
    change: Partial<OutboxHead>,
    deletes: readonly Change[],
  ): Promise<boolean> {
    const input = headInput(this.#place, { ...head, ...change })
    const own: Change =
      head.etag === ''
        ? { operation: insertEntity, input }
        : { operation: updateEntity, input: { ...input, etag: head.etag } }
    try {
      await this.#send([own, ...deletes])
      return true
    } catch (error) {
      if (isConflict(error)) return false
      throw error
    }
  }

  async #send(changes: readonly Change[]): Promise<void> {
    const { service, name: table } = this.#table
    await perform(service, entityGroupTransaction, { table, changes }, this.#options)
  }

  #series(): CallOptions {
    return this.#table.service.pendingCalls.seriesOf(this.#options)
  }

  #now(): number {
    return this.#table.service.now()
  }
}

function isClosed(error: unknown): boolean {
  return isRowkeyError(error) && error.code === 'AccountClosed'
}
