import {
  type Account,
  codecOf,
  type EntityModel,
  type Table,
  type TableQuery,
} from '@rowkey/mapper'
import { DecodeError, type DynamicEntity } from '@rowkey/odata'
import { startsWith } from '@rowkey/query'
import { type CallOptions, checkOptions } from '@rowkey/rest'
import {
  CALL_OPTIONS,
  checkAccount,
  checkFunction,
  checkMilliseconds,
  checkModel,
  checkName,
  checkOptional,
  checkText,
  checkTexts,
} from '../errors/check-arguments.ts'
import { checkBeginning } from '../rows/check-beginnings.ts'
import { keepFor } from '../rows/declarations.ts'
import { rowFilter } from '../rows/row-filter.ts'
import {
  type EntityTransition,
  MESSAGE,
  OutboxKeeper,
  type OutboxPartition,
  type OutboxRules,
} from './outbox-keeper.ts'

/** The options of {@link declareOutbox}. */
export interface OutboxOptions<Entity extends object, Message> {
  /**
   * Returns the messages that follow from a write, as JSON holds them. It must have no other effects: it runs again
   * when a write is planned again.
   */
  readonly messages: (transition: EntityTransition<Entity>) => readonly Message[]
  /**
   * Tells the workers that a partition may have messages: sends a job whose handler calls {@link Outbox.deliver}. It
   * is called before the transaction, once for each write with messages.
   *
   * @param partition - passed to `deliver` as it is
   * @param delay - milliseconds before the job may be done
   * @param options - for `send` of a `JobQueue`: with them, closing the account with `drain` completes the write
   */
  readonly announce: (
    partition: OutboxPartition,
    delay: number,
    options: CallOptions,
  ) => Promise<void>
  /**
   * Milliseconds after an announcement within which its write has ended. Make it longer than the deadline of a call.
   *
   * @defaultValue 120_000
   */
  readonly settle?: number | undefined
  /**
   * The beginning of the RowKeys of messages.
   *
   * @defaultValue `'outbox_'`
   */
  readonly beginning?: string | undefined
  /**
   * Makes the id of a message.
   *
   * @defaultValue `crypto.randomUUID`
   */
  readonly newId?: (() => string) | undefined
}

/**
 * Handles a message. It may get a message twice, so each of its steps must be idempotent. Pass `options` to its calls on the
 * account: then closing the account with `drain` completes the message in hand.
 */
export type MessageHandler<Message> = (message: Message, options: CallOptions) => Promise<void>

/** The messages beside the entities of a model, from {@link declareOutbox}. */
export class Outbox<Message> {
  /** The beginning of the RowKeys of messages. */
  readonly beginning: string
  readonly #settle: number
  readonly #announce: OutboxOptions<object, Message>['announce']
  /** The last look at each partition that is pending in this process. */
  readonly #looks = new Map<string, Promise<unknown>>()

  /** @internal */
  constructor(
    beginning: string,
    settle: number,
    announce: OutboxOptions<object, Message>['announce'],
  ) {
    this.beginning = beginning
    this.#settle = settle
    this.#announce = announce
  }

  /**
   * Handles the messages of a partition in the order of their times, and deletes each after its handler succeeded.
   * Calls for one partition wait for each other in a process. An announced write may be pending still, so the first
   * look announces a second one.
   *
   * @param account - the account of the table
   * @param partition - what was announced
   * @param handler - handles one message
   * @returns how many messages were handled
   */
  async deliver(
    account: Account,
    partition: OutboxPartition,
    handler: MessageHandler<Message>,
    options: CallOptions = {},
  ): Promise<number> {
    checkCall(account, handler, options, 'deliver')
    checkPartition(partition, 'deliver')
    const { table, partitionKey, last } = partition
    const rows = account.table(table)
    const pending = inOrder(rows, partitionKey, this.beginning)
    const { pendingCalls } = account.service
    return pendingCalls.runSeries(options, async (call) => {
      const series = pendingCalls.seriesOf(call)
      if (!last) await this.#announce({ ...partition, last: true }, this.#settle, series)
      return this.#inTurn(`${table} ${partitionKey}`, () =>
        this.#handleAll(rows, pending.rows(call), handler, call),
      )
    })
  }

  /**
   * Reads the messages that wait in a partition, in the order of their times, and handles none of
   * them.
   */
  async pending(
    account: Account,
    partition: Pick<OutboxPartition, 'table' | 'partitionKey'>,
    options: CallOptions = {},
  ): Promise<Message[]> {
    checkCall(account, ignore, options, 'pending')
    checkPartition(partition, 'pending')
    const { table, partitionKey } = partition
    const waiting = inOrder(account.table(table), partitionKey, this.beginning)
    return (await waiting.toArray(options)).map((row) => messageIn<Message>(row, table))
  }

  /**
   * Handles all messages of a table. It reads the whole table, so use it after an accident only: when announcements
   * were lost, or a write took longer than `settle`.
   *
   * @returns how many messages were handled
   */
  async sweep(
    account: Account,
    table: string,
    handler: MessageHandler<Message>,
    options: CallOptions = {},
  ): Promise<number> {
    checkCall(account, handler, options, 'sweep')
    checkName(table, 'The table of sweep of an outbox')
    const rows = account.table(table)
    const all = rows
      .query()
      .where({ rowKey: startsWith(this.beginning) })
      .allowTableScan()
    return account.service.pendingCalls.runSeries(options, (call) =>
      this.#handleAll(rows, all.rows(call), handler, call),
    )
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

  async #handleAll(
    rows: Table<DynamicEntity>,
    pending: AsyncIterable<DynamicEntity>,
    handler: MessageHandler<Message>,
    options: CallOptions,
  ): Promise<number> {
    let handled = 0
    for await (const row of pending) {
      await handler(messageIn(row, rows.name), options)
      // Another worker may have handled it, too, and deleted it.
      await rows.deleteIfExists(row, options)
      handled++
    }
    return handled
  }
}

/** Cosmos DB does not sort rows, and `inPartitions` does. */
function inOrder(
  rows: Table<DynamicEntity>,
  partitionKey: string,
  beginning: string,
): TableQuery<DynamicEntity> {
  return rows
    .query()
    .where({ rowKey: startsWith(beginning) })
    .inPartitions([partitionKey])
}

/** @throws DecodeError (`UnreadableKeptRow`) for a row that another program stored or changed */
function messageIn<Message>(row: DynamicEntity, table: string): Message {
  const { partitionKey, rowKey } = row
  const text = row.get(MESSAGE)?.value
  try {
    if (typeof text === 'string') return JSON.parse(text)
  } catch {
    // The text is not JSON.
  }
  throw new DecodeError({
    code: 'UnreadableKeptRow',
    message: `The row ${JSON.stringify([partitionKey, rowKey])} of table ${table} has the key of an outbox message, and does not hold one: another program stored or changed it. Delete the row, or correct its property '${MESSAGE}'.`,
    details: { table, partitionKey, rowKey, property: MESSAGE },
  })
}

function checkCall(account: unknown, handler: unknown, options: unknown, method: string): void {
  const place = `${method} of an outbox`
  checkAccount(account, place)
  checkFunction(handler, `The handler of ${place}`)
  checkOptions(options, CALL_OPTIONS, place)
}

function checkPartition(partition: unknown, method: string): void {
  const place = `The partition of ${method} of an outbox`
  checkTexts(partition, place, 'the object that was announced', ['table', 'partitionKey'])
}

function ignore(): void {
  // Nothing is handled.
}

const OPTION_NAMES = ['messages', 'announce', 'settle', 'beginning', 'newId']

/**
 * Declares an outbox of a model. From then on every write of its tables stores the messages that follow from it, in the
 * same transaction: the messages of a write that is stored are handled, at least once each, and those of any other
 * write are not.
 *
 * Call it next to the model, before the first `account.table`.
 *
 * @param model - the model
 * @param options - the messages, and how workers learn of them
 * @throws ModelError after the first table of the model was opened, or when keys could be of both
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
  checkOptions(options, OPTION_NAMES, 'declareOutbox')
  checkModel(model, 'declareOutbox')
  checkOutbox(options, 'declareOutbox')
  checkFunction(options.messages, 'messages of declareOutbox')
  const { beginning = 'outbox_' } = options
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
  extends Pick<OutboxRules, 'beginning' | 'rows' | 'touches' | 'messages'> {
  readonly announce: (
    partition: OutboxPartition,
    delay: number,
    options: CallOptions,
  ) => Promise<void>
  readonly settle?: number | undefined
  readonly newId?: (() => string) | undefined
}

/** The options that every declaration with an outbox has. */
type AnnouncedOptions = Pick<RowOutboxOptions, 'announce' | 'settle' | 'newId'> & {
  readonly beginning?: string | undefined
}

/**
 * Checks the options that every declaration with an outbox has.
 *
 * @param options - the caller's options
 * @param place - the declaration, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkOutbox(
  { announce, settle, beginning, newId }: AnnouncedOptions,
  place: string,
): void {
  checkFunction(announce, `announce of ${place}`)
  checkOptional(settle, checkMilliseconds, `settle of ${place}`)
  checkOptional(beginning, checkText, `beginning of ${place}`)
  checkOptional(newId, checkFunction, `newId of ${place}`)
}

/** Works as {@link declareOutbox}, and makes messages from rows as they are stored. */
export function keepOutbox<Message>(
  model: EntityModel<object>,
  options: RowOutboxOptions,
): Outbox<Message> {
  const { announce, settle = 120_000, beginning, newId = () => crypto.randomUUID() } = options
  checkBeginning(model, 'The messages of its outbox', beginning)
  const rules = {
    ...options,
    model,
    announce: (partition: OutboxPartition, call: CallOptions) => announce(partition, 0, call),
    newId,
  }
  keepFor('declareOutbox', model, new OutboxKeeper(rules))
  return new Outbox(beginning, settle, announce)
}
