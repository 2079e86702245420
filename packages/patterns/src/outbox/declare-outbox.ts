import { type Account, codecOf, type EntityModel, keepRows } from '@rowkey/mapper'
import { aFunction, type OptionRules, required } from '@rowkey/odata'
import { startsWith } from '@rowkey/query'
import type { CallOptions } from '@rowkey/rest'
import { checkModel, checkName } from '../errors/check-arguments.ts'
import {
  aCount,
  aDuration,
  aText,
  declarePattern,
  type ManyWritesOptions,
} from '../options/pattern-options.ts'
import { checkBeginning } from '../rows/check-beginnings.ts'
import { beginningOf, rowFilter } from '../rows/row-filter.ts'
import { checkCall, checkPartition, checkSameAccount } from './check-delivery.ts'
import { type DeliveryRules, OutboxDelivery } from './deliver-messages.ts'
import {
  type Announce,
  type EntityTransition,
  OutboxKeeper,
  type OutboxPartition,
  type OutboxRules,
} from './outbox-keeper.ts'
import { liveRange, type OutboxPlace, type StoredMessage } from './outbox-rows.ts'
import { readDeadLetters, readOutbox, revive } from './stored-outbox.ts'

/** The options of {@link declareOutbox}. */
export interface OutboxOptions<Entity extends object, Message> {
  /**
   * Returns the messages that follow from a write, as JSON holds them. It must have no other effects: it runs again
   * when a write is planned again.
   */
  readonly messages: (transition: EntityTransition<Entity>) => readonly Message[]
  /**
   * Tells the workers that a partition has messages: sends a job whose handler calls {@link Outbox.deliver}. It is called before the
   * transaction, unless an earlier job will find the messages of this one.
   *
   * @param partition - passed to `deliver` as it is
   * @param delay - milliseconds before the job may be done
   * @param options - for `send` of a `JobQueue`: with them, closing the account with `drain` completes the write
   * @param account - the account of the table, for programs with several: each needs jobs of its own
   */
  readonly announce: Announce
  /**
   * Milliseconds after an announcement within which a write usually ends. A write that is still pending after them starts again, with
   * another announcement; no message is lost.
   *
   * @defaultValue 10_000
   */
  readonly writeTimeout?: number | undefined
  /**
   * How often a message is tried before it becomes a dead letter.
   *
   * @defaultValue 5
   */
  readonly attempts?: number | undefined
  /**
   * The beginning of the RowKeys of messages.
   *
   * @defaultValue `'outbox_'` and the beginning of the RowKeys of the model, so that models in one table have outboxes of their own
   */
  readonly beginning?: string | undefined
  /**
   * Makes the id of a message.
   *
   * @defaultValue `crypto.randomUUID`
   */
  readonly newId?: (() => string) | undefined
}

/** The rules of the options that every declaration with an outbox has. */
export const announcedRules: OptionRules<
  Pick<OutboxOptions<never, unknown>, 'announce' | 'writeTimeout' | 'beginning' | 'newId'>
> = {
  announce: required(aFunction),
  writeTimeout: aDuration,
  beginning: aText,
  newId: aFunction,
}

const outboxOptions = declarePattern<OutboxOptions<never, unknown>>({
  ...announcedRules,
  messages: required(aFunction),
  attempts: aCount,
})

/** The delivery of a message, as its handler sees it. */
export interface MessageDelivery {
  /** Identifies the message, also when it is delivered again. */
  readonly id: string
  /** How often the message was delivered, this time included, not counting deliveries that ended with their worker. */
  readonly attempt: number
}

/**
 * Handles a message. It may get a message twice, so each of its steps must be idempotent. Pass `options` to its calls on the
 * account: then closing the account with `drain` completes the message in hand.
 */
export type MessageHandler<Message> = (
  message: Message,
  options: CallOptions,
  delivery: MessageDelivery,
) => Promise<void>

/** A message whose handler failed in every attempt. */
export interface DeadMessage<Message> extends MessageDelivery {
  /** The message, as it was made. */
  readonly message: Message
  /** Why its handler failed last. */
  readonly reason: string
}

/** A partition of a table with an outbox. */
export type OutboxTarget = Pick<OutboxPartition, 'table' | 'partitionKey'>

/** How messages are delivered, and announced in the account in use. */
interface AnnouncedRules extends Omit<DeliveryRules, 'handle' | 'announce'> {
  readonly announce: Announce
}

/** The messages beside the entities of a model, from {@link declareOutbox}. */
export class Outbox<Message> {
  /** The beginning of the RowKeys of messages. */
  readonly beginning: string
  readonly #rules: AnnouncedRules
  /** The last look at each partition that is pending in this process. */
  readonly #looks = new Map<string, Promise<unknown>>()

  /** @internal */
  constructor(rules: AnnouncedRules) {
    this.beginning = rules.beginning
    this.#rules = rules
  }

  /**
   * Handles the messages of a partition in the order of their transactions, and deletes each after its handler succeeded. One announced
   * job at a time does so.
   *
   * A message whose handler fails waits 1 s, then 2 s and so on, up to 10 minutes. So do those that follow it about the same
   * entity; all others go on. After the last attempt it becomes a dead letter.
   *
   * @param account - the account of the table
   * @param partition - what was announced. Without its `ticket` the messages are handled at once
   * @param handler - handles one message
   * @returns how many messages were handled
   */
  async deliver(
    account: Account,
    partition: OutboxPartition,
    handler: MessageHandler<Message>,
    options: ManyWritesOptions = {},
  ): Promise<number> {
    checkCall(account, handler, options, 'deliver')
    checkPartition(partition, 'deliver')
    checkSameAccount(account, partition)
    const { table: name, partitionKey } = partition
    return account.service.pendingCalls.runSeries(options, (call) =>
      this.#inTurn(`${account.service.accountId} ${name} ${partitionKey}`, () =>
        this.#delivery(account, { table: name, partitionKey }, handler, call).run(partition),
      ),
    )
  }

  /**
   * Reads the messages that wait in a partition, in the order of their transactions, and handles none of
   * them.
   */
  async pending(
    account: Account,
    partition: OutboxTarget,
    options: ManyWritesOptions = {},
  ): Promise<Message[]> {
    const place = this.#placeIn(account, partition, options, 'pending')
    const table = { service: account.service, name: place.table }
    const { messages, unreadable } = await readOutbox(table, place, options)
    if (unreadable !== undefined) throw unreadable
    return messages.map(({ text }) => JSON.parse(text))
  }

  /** Reads the messages of a partition whose handlers failed in every attempt. */
  async deadLetters(
    account: Account,
    partition: OutboxTarget,
    options: ManyWritesOptions = {},
  ): Promise<DeadMessage<Message>[]> {
    const place = this.#placeIn(account, partition, options, 'deadLetters')
    const table = { service: account.service, name: place.table }
    const dead = await readDeadLetters(table, place, options)
    return dead.map(({ id, attempts: attempt, reason, text }) => ({
      id,
      attempt,
      reason,
      message: JSON.parse(text),
    }))
  }

  /**
   * Sends the dead letters of a partition again, as messages that were never tried.
   *
   * @returns how many were sent
   */
  async redrive(
    account: Account,
    partition: OutboxTarget,
    options: ManyWritesOptions = {},
  ): Promise<number> {
    const place = this.#placeIn(account, partition, options, 'redrive')
    const table = { service: account.service, name: place.table }
    return account.service.pendingCalls.runSeries(options, async (call) => {
      let sent = 0
      for (const dead of await readDeadLetters(table, place, call)) {
        if (await revive(table, place, dead, call)) sent++
      }
      if (sent > 0) await this.#delivery(account, place, ignore, call).announce()
      return sent
    })
  }

  /**
   * Handles all messages of a table that are due. It reads the whole table, so use it after an accident only: when jobs were lost.
   *
   * @returns how many messages were handled
   */
  async sweep(
    account: Account,
    table: string,
    handler: MessageHandler<Message>,
    options: ManyWritesOptions = {},
  ): Promise<number> {
    checkCall(account, handler, options, 'sweep')
    checkName(table, 'The table of sweep of an outbox')
    const [from] = liveRange(this.beginning)
    const heads = account
      .table(table)
      .query()
      .where({ rowKey: startsWith(from) })
      .allowTableScan()
    return account.service.pendingCalls.runSeries(options, async (call) => {
      let handled = 0
      for await (const { partitionKey } of heads.rows(call)) {
        handled += await this.deliver(account, { table, partitionKey }, handler, call)
      }
      return handled
    })
  }

  #delivery(
    account: Account,
    { table: name, partitionKey }: OutboxTarget,
    handler: MessageHandler<Message>,
    options: CallOptions,
  ): OutboxDelivery {
    const table = { service: account.service, name }
    const handle = async ({ text, id, attempts }: StoredMessage, call: CallOptions) =>
      handler(JSON.parse(text), call, { id, attempt: attempts + 1 })
    const announce: DeliveryRules['announce'] = (partition, delay, call) =>
      this.#rules.announce(
        { ...partition, account: account.service.endpoint.account },
        delay,
        call,
        account,
      )
    return new OutboxDelivery(table, partitionKey, { ...this.#rules, announce, handle }, options)
  }

  #placeIn(
    account: Account,
    partition: OutboxTarget,
    options: CallOptions,
    method: string,
  ): OutboxPlace {
    checkCall(account, ignore, options, method)
    checkPartition(partition, method)
    const { table, partitionKey } = partition
    return { table, partitionKey, beginning: this.beginning }
  }

  /** Two looks at one partition, one after the other, do not find the same messages. */
  async #inTurn<Result>(place: string, look: () => Promise<Result>): Promise<Result> {
    const before = this.#looks.get(place) ?? Promise.resolve()
    const result = before.then(look, look)
    this.#looks.set(place, result)
    try {
      return await result
    } finally {
      if (this.#looks.get(place) === result) this.#looks.delete(place)
    }
  }
}

async function ignore(): Promise<void> {
  // Nothing is handled.
}

/**
 * Declares an outbox of a model. From then on every write of its tables stores the messages that follow
 * from it, in the same transaction. Each message of a stored write is handled at least once. Messages of
 * any other write are never handled.
 *
 * Call it next to the model, before the first write.
 *
 * @param model - the model
 * @param options - the messages, and how workers learn of them
 * @throws ModelError when keys could be of both
 *
 * @example
 * ```ts
 * const outbox = declareOutbox(Employee, {
 *   messages: ({ before, after }) => (before?.email === after?.email ? [] : [{ email: after?.email }]),
 *   announce: (partition, delay, call) => jobs.send('outbox', partition, delay, call),
 * })
 * const jobs = new JobQueue<{ outbox: OutboxPartition }>({
 *   queue, deadLetters,
 *   handlers: {
 *     outbox: async (partition, { options }) => void (await outbox.deliver(account, partition, sendWelcome, options)),
 *   },
 * })
 * ```
 */
export function declareOutbox<
  Entity extends object,
  Input extends object,
  Key extends object,
  Message,
>(
  model: EntityModel<Entity, Input, Key>,
  options: OutboxOptions<Entity, Message>,
): Outbox<Message> {
  outboxOptions.check(options, 'declareOutbox')
  checkModel(model, 'declareOutbox')
  const { beginning = `outbox_${beginningOf(model.rowKey)}` } = options
  const kept = model as EntityModel<object>
  const codec = codecOf(kept)
  // The messages are called with entities of this model only.
  const messages = options.messages as (transition: EntityTransition<object>) => readonly Message[]
  return keepOutbox(kept, {
    ...options,
    beginning,
    rows: rowFilter(kept, [beginning]),
    messages: ({ before, after }) =>
      messages({ before: before && codec.read(before), after: after && codec.read(after) }),
  })
}

/** The options of {@link keepOutbox}. */
interface RowOutboxOptions
  extends Pick<OutboxRules, 'announce' | 'beginning' | 'rows' | 'touches' | 'messages'> {
  readonly writeTimeout?: number | undefined
  readonly attempts?: number | undefined
  readonly newId?: (() => string) | undefined
}

/** Works as {@link declareOutbox}, and makes messages from rows as they are stored. */
export function keepOutbox<Message>(
  model: EntityModel<object>,
  options: RowOutboxOptions,
): Outbox<Message> {
  const { announce, writeTimeout = 10_000, attempts = 5, beginning } = options
  const { newId = () => crypto.randomUUID() } = options
  checkBeginning(model, 'The messages of its outbox', beginning)
  keepRows(model, new OutboxKeeper({ ...options, model, newId }), 'declareOutbox')
  return new Outbox({ beginning, announce, writeTimeout, attempts, newId })
}
