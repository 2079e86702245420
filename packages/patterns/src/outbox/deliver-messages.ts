import { isRowkeyError } from '@rowkey/odata'
import {
  type CallOptions,
  type Change,
  deleteEntityIfExists,
  entityGroupTransaction,
  inDoubt,
  insertEntity,
  insertOrReplaceEntity,
  perform,
  updateEntity,
} from '@rowkey/rest'
import { isConflict, isUnsettled } from '../conflicts/retry-conflicts.ts'
import { optionsOfEachRequest } from '../options/pattern-options.ts'
import { removing } from '../rows/changes.ts'
import { etagOf, findStored } from '../rows/stored-row.ts'
import { delayAfter, reasonOf } from '../worker/failed-attempt.ts'
import { hasJob, LOST_AFTER, type OutboxPartition, type OutboxRules } from './outbox-keeper.ts'
import {
  deadKey,
  headInput,
  liveKey,
  messageInput,
  type OutboxHead,
  type OutboxPlace,
  type StoredMessage,
} from './outbox-rows.ts'
import { type OutboxView, readHead, readOutbox } from './stored-outbox.ts'

/** How messages are delivered. */
export interface DeliveryRules
  extends Pick<OutboxRules, 'model' | 'beginning' | 'attempts' | 'writeTimeout'> {
  /** Announces a job, in the account of the table. */
  readonly announce: (
    partition: OutboxPartition,
    delay: number,
    options: CallOptions,
  ) => Promise<void>
  /** Handles a message, whose `attempts` include this one. */
  readonly handle: (message: StoredMessage, options: CallOptions) => Promise<void>
}

/** The job that delivers the messages of a partition: its delivery. */
export interface OutboxJob {
  /** The options of its calls. */
  readonly options?: CallOptions | undefined
  /** How often the job was delivered, this time included. From the second on, messages may have ended their worker. */
  readonly attempt?: number | undefined
  /** Ends the delivery before the next message; another job is announced for the others. */
  readonly signal?: AbortSignal | undefined
}

/** How often in a row a run looks again because another worker changed what it was about to change. */
const MOST_CONFLICTS = 10
/** Why a message failed that was in hand when its worker ended. */
const ENDED = 'Its worker ended in the handler.'

/**
 * Delivers the messages of a partition, one after another: each is deleted before the next is handled. A message whose handler fails
 * waits, and so do those that follow it about the same entity; the others go on.
 *
 * The run ends by changing the head, on condition of the version that had no other messages. A write that stores messages in
 * between changes it first, so no message is left without a job.
 */
export class OutboxDelivery {
  readonly #place: OutboxPlace
  readonly #rules: DeliveryRules
  readonly #job: OutboxJob
  readonly #options: CallOptions
  /** The RowKeys of the messages that this run has handled. */
  readonly #tried = new Set<string>()
  /** The message that is handled and not deleted yet. */
  #done: StoredMessage | undefined
  #handled = 0
  /** Whether a message may have been handled, stored or deleted. */
  #hasBegun = false

  /**
   * @param place - where the messages are
   * @param rules - how messages are handled
   * @param job - the options of all calls, and what is known of the job
   */
  constructor(place: OutboxPlace, rules: DeliveryRules, job: OutboxJob) {
    this.#place = place
    this.#rules = rules
    this.#job = job
    this.#options = job.options ?? {}
  }

  /** Delivers all messages that are due, if the job is the one that does. Returns how many were handled. */
  async run(partition: OutboxPartition): Promise<number> {
    try {
      return await this.#run(partition)
    } catch (error) {
      throw this.#hasBegun ? inDoubt(error) : error
    }
  }

  async #run(partition: OutboxPartition): Promise<number> {
    const view = await readOutbox(this.#place, this.#options)
    const { ticket, known, again } = partition
    if (ticket === undefined) return this.#deliverAll(view, partition)
    if (ticket === view.head.ticket) {
      if ((this.#job.attempt ?? 1) === 1) return this.#deliverAll(view, partition)
      // The worker of the first attempt ended, or is paused. Another job goes on, which stores each attempt before it begins.
      const renewed = await this.#announceAt(view.head, this.#now(), { retried: true })
      return (await this.#changeHead(view.head, renewed)) ? 0 : this.#run(partition)
    }
    // Another job delivers, or the write of this announcement was rejected.
    if (known !== view.head.etag) return 0
    if (!again) {
      const { writeTimeout } = this.#rules
      await this.#rules.announce({ ...partition, again: true }, writeTimeout, this.#waited())
      return 0
    }
    // A write that comes after this job is rejected, and announces itself anew.
    return (await this.#changeHead(view.head, {})) ? 0 : this.#run(partition)
  }

  /**
   * Moves a dead letter back among the messages, as one that was never tried, together with the job that delivers it. Returns false
   * when it is gone.
   */
  async revive(dead: StoredMessage): Promise<boolean> {
    const { name } = this.#place
    const again = { ...dead, key: liveKey(this.#place, dead.key), attempts: 0 }
    const moved: readonly Change[] = [
      this.#removal(dead),
      { operation: insertEntity, input: messageInput(name, again) },
    ]
    for (;;) {
      const head = await readHead(this.#place, this.#options)
      const now = this.#now()
      const announced = hasJob(head, now) ? {} : await this.#announceAt(head, now)
      if (await this.#changeHead(head, announced, moved)) return true
      const stored = await findStored(this.#place, dead.key, this.#options)
      if (stored === undefined || etagOf(stored) !== dead.etag) return false
    }
  }

  async #deliverAll(first: OutboxView, { ticket, retried }: OutboxPartition): Promise<number> {
    let conflicts = 0
    for (let view = first; ; view = await readOutbox(this.#place, this.#options)) {
      const { head, messages, unreadable } = view
      // Another job has taken over.
      if (ticket !== undefined && ticket !== head.ticket) return this.#handled
      try {
        if (await this.#runOnce(messages, head, { ticket, retried })) {
          if (unreadable !== undefined) throw unreadable
          return this.#handled
        }
        conflicts = 0
      } catch (error) {
        // Another worker handles the same messages or has taken over, or it is unknown whether the head was changed.
        if (!isUnsettled(error) || ++conflicts > MOST_CONFLICTS) throw error
        this.#done = undefined
      }
    }
  }

  /** Handles the messages of one look; returns false when there may be others. */
  async #runOnce(
    messages: readonly StoredMessage[],
    head: OutboxHead,
    { ticket, retried = false }: Pick<OutboxPartition, 'ticket' | 'retried'>,
  ): Promise<boolean> {
    const isAlive = () => ticket === undefined || this.#now() < head.announcedAt + LOST_AFTER / 2
    // Otherwise a write would take the job for lost, and announce another beside it.
    if (!isAlive()) {
      await this.#changeHead(head, { announcedAt: this.#now() })
      return false
    }
    const waiting = new Set<string>()
    let next = Number.POSITIVE_INFINITY
    for (const message of messages) {
      const { source, after, key } = message
      if (this.#tried.has(key.rowKey)) {
        // It is unknown whether it was deleted. One before it may have been tried again since.
        if (!(await this.#removeDone())) return false
        this.#done = message
        continue
      }
      if (waiting.has(source)) continue
      if (after > this.#now()) {
        waiting.add(source)
        next = Math.min(next, after)
        continue
      }
      if (this.#job.signal?.aborted) {
        next = this.#now()
        break
      }
      if (!(await this.#removeDone()) || !isAlive()) return false
      const failed = await this.#try(message, retried)
      if (failed === undefined) continue
      waiting.add(source)
      next = Math.min(next, failed.after)
    }
    return this.#release(head, ticket, next)
  }

  /**
   * Handles a message.
   *
   * @param isStored - whether the attempt is stored first, so that it counts also when it ends the worker
   * @returns the message when it is to be tried again
   */
  async #try(message: StoredMessage, isStored: boolean): Promise<StoredMessage | undefined> {
    this.#hasBegun = true
    if (message.attempts >= this.#rules.attempts) return this.#bury(message)
    const attempts = message.attempts + 1
    let begun: StoredMessage = { ...message, attempts }
    if (isStored) begun = await this.#store({ ...begun, reason: ENDED })
    try {
      await this.#rules.handle(begun, this.#options)
    } catch (error) {
      // The end of the worker or of the account says nothing about the message.
      if (this.#options.signal?.aborted || isClosed(error)) throw error
      const failed = { ...begun, reason: reasonOf(error) }
      return attempts < this.#rules.attempts ? this.#store(failed) : this.#bury(failed)
    }
    this.#tried.add(message.key.rowKey)
    this.#done = begun
    this.#handled++
    return undefined
  }

  /** Stores that a message failed, and when it is tried again. */
  async #store(message: StoredMessage): Promise<StoredMessage> {
    const failed = { ...message, after: this.#now() + delayAfter(message.attempts) }
    const { service, name } = this.#place
    const input = { ...messageInput(name, failed), etag: message.etag }
    const { etag = '' } = await perform(service, updateEntity, input, this.#options)
    return { ...failed, etag }
  }

  /** Makes a message a dead letter. */
  async #bury(message: StoredMessage): Promise<undefined> {
    const dead = { ...message, key: deadKey(this.#place, message.key) }
    const input = messageInput(this.#place.name, dead)
    await this.#send([this.#removal(message), { operation: insertOrReplaceEntity, input }])
  }

  /** Deletes the message that was handled; returns false when another worker has done so. */
  async #removeDone(): Promise<boolean> {
    if (this.#done === undefined) return true
    const { input } = this.#removal(this.#done)
    this.#done = undefined
    const { service } = this.#place
    return (await perform(service, deleteEntityIfExists, input, this.#options)).deleted
  }

  #removal({ key, etag }: StoredMessage): Change {
    return removing(this.#place.name, key, etag)
  }

  /**
   * Ends the run, unless messages came.
   *
   * @param next - when the first message that waits is due
   */
  async #release(head: OutboxHead, ticket: string | undefined, next: number): Promise<boolean> {
    const isWaiting = Number.isFinite(next)
    // Without a ticket, the announced job comes and finds what is left.
    if (ticket !== undefined || isWaiting) {
      const renewed = isWaiting ? await this.#announceAt(head, next) : { ticket: '' }
      const beside = this.#done === undefined ? [] : [this.#removal(this.#done)]
      if (!(await this.#changeHead(head, renewed, beside))) {
        await this.#removeDone()
        return false
      }
      this.#done = undefined
    }
    await this.#removeDone()
    return true
  }

  async #announceAt(
    head: OutboxHead,
    next: number,
    more?: Pick<OutboxPartition, 'retried'>,
  ): Promise<Partial<OutboxHead>> {
    const { service, name: table, partitionKey } = this.#place
    const ticket = service.newId()
    const now = this.#now()
    const partition = { table, partitionKey, ticket, known: head.etag, ...more }
    await this.#rules.announce(partition, Math.max(0, Math.ceil(next - now)), this.#waited())
    return { ticket, announcedAt: Math.max(now, next) }
  }

  /** Changes the head at its version, and messages beside it; returns false when one of them is another version. */
  async #changeHead(
    head: OutboxHead,
    change: Partial<OutboxHead>,
    beside: readonly Change[] = [],
  ): Promise<boolean> {
    const input = headInput(this.#place, { ...head, ...change })
    const own: Change =
      head.etag === ''
        ? { operation: insertEntity, input }
        : { operation: updateEntity, input: { ...input, etag: head.etag } }
    try {
      await this.#send([own, ...beside])
      return true
    } catch (error) {
      if (isConflict(error)) return false
      throw error
    }
  }

  async #send(changes: readonly Change[]): Promise<void> {
    const { service, name: table } = this.#place
    const [first] = changes
    // Of a single change, its content tells after a lost response whether it was applied.
    if (first !== undefined && changes.length === 1)
      await perform(service, first.operation, first.input, this.#options)
    else await perform(service, entityGroupTransaction, { table, changes }, this.#options)
  }

  #waited(): CallOptions {
    return optionsOfEachRequest(this.#options)
  }

  #now(): number {
    return this.#place.service.now()
  }
}

function isClosed(error: unknown): boolean {
  return isRowkeyError(error) && error.code === 'AccountClosed'
}
