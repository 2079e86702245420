import {
  type Account,
  codecOf,
  type EntityModel,
  keepersOf,
  keepRows,
  ModelError,
  PartitionTurns,
} from '@rowkey/mapper'
import { aFunction, required } from '@rowkey/odata'
import { keptBeginning } from '../derived/kept-key.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { aCount, aDuration, aKeyText, aModel, aThingOfTexts } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'
import { isMigrated } from '../rows/is-migrated.ts'
import { type Declared, declared } from '../rows/model-table.ts'
import type { Handler } from '../worker/delivery.ts'
import { aWorker, type Work } from '../worker/work.ts'
import {
  type EntityTransition,
  OutboxKeeper,
  type OutboxPartition,
  type OutboxRules,
} from './outbox-keeper.ts'
import { OutboxTable, type TableHandler } from './outbox-table.ts'

/** The options of {@link declareOutbox}. */
export interface OutboxOptions<Entity extends object, Message> {
  /**
   * Returns the messages that follow from a write, as JSON holds them. It must have no other effects: it runs again
   * when a write is planned again.
   */
  readonly messages: (transition: EntityTransition<Entity>) => readonly Message[]
  /**
   * Handles a message. It may get a message twice, so each of its steps must be idempotent. Pass the `options` of the delivery to its calls on the
   * account: then closing the account with `drain` completes the message in hand.
   */
  readonly handle: Handler<Message>
  /** The worker that handles the messages. A write tells it before its transaction, unless an earlier job will find the messages. */
  readonly worker: Work<object>
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
   * The name of the outbox, for a model with several: a part of the RowKeys of its messages.
   *
   * @defaultValue `'outbox'`
   */
  readonly name?: string | undefined
}

const aPartition = aThingOfTexts('the partition that a write announced', 'table', 'partitionKey')

const outboxOptions = declarePattern<{
  readonly [Name in keyof OutboxOptions<never, never>]: unknown
}>({
  messages: required(aFunction),
  handle: required(aFunction),
  worker: required(aWorker),
  writeTimeout: aDuration,
  name: aKeyText,
  attempts: aCount,
})

/**
 * Declares an outbox of a model. From then on every write of its tables stores the messages that follow
 * from it, in the same transaction. Each message of a stored write is handled at least once. Messages of
 * any other write are never handled.
 *
 * Call it next to the model, before the first write.
 *
 * @param model - the model
 * @param options - the messages, their handler and its worker
 * @throws ModelError when the model has an outbox of this name
 *
 * @example
 * ```ts
 * const outbox = declareOutbox(Employee, {
 *   messages: ({ before, after }) => (before?.email === after?.email ? [] : [{ email: after?.email }]),
 *   handle: async ({ email }, { options }) => sendWelcome(email, options),
 *   worker: work,
 * })
 * await work.on(account).run(signal) // in each worker
 * ```
 */
export function declareOutbox<
  Entity extends object,
  Input extends object,
  Key extends object,
  Message,
  Partition extends object = Partial<Key>,
>(
  model: EntityModel<Entity, Input, Key, Partition>,
  options: OutboxOptions<Entity, Message>,
): Declared<OutboxTable<Message, Partition>> {
  outboxOptions.check(options, 'declareOutbox')
  checkArgument(aModel, model, 'declareOutbox')
  const kept = model as EntityModel<object, object, object>
  const beginning = keptBeginning('ob', kept, options.name ?? 'outbox')
  const codec = codecOf(kept)
  // The messages are called with entities of this model only.
  const messages = options.messages as (transition: EntityTransition<object>) => readonly Message[]
  const { handle, worker, writeTimeout, attempts } = options
  return serveOutbox<Message, Partition>(kept, worker, {
    writeTimeout,
    attempts,
    handle: (message, delivery) => handle(message as Message, delivery), // one of this outbox
    beginning,
    messages: (transition) =>
      messages({
        before: transition.before && codec.read(transition.before),
        after: transition.after && codec.read(transition.after),
        isMigrated: isMigrated(kept, transition),
      }),
  })
}

/** The outbox of rows as they are stored. */
interface RowOutboxOptions
  extends Omit<OutboxRules, 'model' | 'announce' | 'writeTimeout' | 'attempts'>,
    Pick<OutboxOptions<never, never>, 'writeTimeout' | 'attempts'> {
  readonly handle: TableHandler
}

/** Lets the writes of a model store messages that are made from rows as they are stored, and a worker handle them. */
export function serveOutbox<Message, Partition extends object>(
  model: EntityModel<object, object, object>,
  worker: Work<object>,
  options: RowOutboxOptions,
): Declared<OutboxTable<Message, Partition>> {
  const { beginning, handle, writeTimeout = 10_000, attempts = 5 } = options
  const isOwn = (each: object) => each instanceof OutboxKeeper && each.rules.beginning === beginning
  if (keepersOf(model).some(isOwn)) {
    const problem =
      'It has two outboxes of one name. Give one of them another name, or declare all indexes with a partitionKey in one call.'
    throw new ModelError({ className: model.title, problem })
  }
  const kind = `~outbox ${beginning} ${model.name ?? ''}`
  const announce: OutboxRules['announce'] = (partition, delay, call, account) =>
    worker.announce(account, kind, partition, delay, call)
  const keeper: OutboxKeeper = new OutboxKeeper(
    { ...options, announce, model, writeTimeout, attempts },
    // The account opened the table.
    async (partitions, { table: { name }, account, options: call }) =>
      outbox.on(account as Account, { name }).follow(partitions, call),
  )
  keepRows(model, keeper, 'declareOutbox')
  const parts = { keeper, handle, looks: new PartitionTurns(), sends: new PartitionTurns() }
  const outbox = declared(model, 'an outbox', (table) => {
    return new OutboxTable<Message, Partition>(parts, table)
  })
  worker.serve<OutboxPartition>(kind, async (partition, delivery) => {
    // Another program may have sent any job.
    checkArgument(aPartition, partition, `The job of an outbox of ${model.title}`)
    await outbox.on(delivery.account, { name: partition.table }).handleAll(partition, delivery)
  })
  return outbox
}
