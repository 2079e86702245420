import { codecOf, type EntityModel, keepersOf, keepRows, PartitionTurns } from '@rowkey/mapper'
import { aFunction, type OptionRules, required } from '@rowkey/odata'
import { checkArgument } from '../errors/check-argument.ts'
import { aCount, aDuration, aKeyText, aModel } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'
import { checkBeginnings } from '../rows/check-beginnings.ts'
import { isMigrated } from '../rows/is-migrated.ts'
import { type Declared, declared } from '../rows/model-table.ts'
import { rowFilter } from '../rows/row-filter.ts'
import {
  type Announce,
  type EntityTransition,
  OutboxKeeper,
  type OutboxRules,
} from './outbox-keeper.ts'
import { defaultBeginning } from './outbox-rows.ts'
import { OutboxTable } from './outbox-table.ts'

/** The options of {@link declareOutbox}. */
export interface OutboxOptions<Entity extends object, Message> {
  /**
   * Returns the messages that follow from a write, as JSON holds them. It must have no other effects: it runs again
   * when a write is planned again.
   */
  readonly messages: (transition: EntityTransition<Entity>) => readonly Message[]
  /**
   * Tells the workers that a partition has messages: sends a job whose handler calls {@link OutboxTable.deliver}. It is called before the
   * transaction, unless an earlier job will find the messages of this one.
   *
   * @param partition - passed to `deliver` as it is
   * @param delay - milliseconds before the job may be done
   * @param options - for `send` of a `JobQueue`: with them, closing the account with `drain` completes the write, and its signal
   * and its deadline end the announcement
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
   * @defaultValue `'outbox_'`, the beginnings of the keys of the model, and its type if it has one: models in one table have outboxes of their
   * own
   */
  readonly beginning?: string | undefined
}

/** The rules of the options that every declaration with an outbox has. */
export const announcedRules: OptionRules<
  Pick<OutboxOptions<never, unknown>, 'announce' | 'writeTimeout' | 'beginning'>
> = {
  announce: required(aFunction),
  writeTimeout: aDuration,
  beginning: aKeyText,
}

const outboxOptions = declarePattern<OutboxOptions<never, unknown>>({
  ...announcedRules,
  messages: required(aFunction),
  attempts: aCount,
})

/** The messages beside the entities of a model, from {@link declareOutbox}. */
export type Outbox<Message, Partition extends object> = Declared<OutboxTable<Message, Partition>>

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
 *     outbox: async (partition, delivery) => void (await outbox.on(account).deliver(partition, sendWelcome, delivery)),
 *   },
 * })
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
): Outbox<Message, Partition> {
  outboxOptions.check(options, 'declareOutbox')
  checkArgument(aModel, model, 'declareOutbox')
  const kept = model as EntityModel<object, object, object>
  const { beginning = defaultBeginning('outbox', kept) } = options
  const codec = codecOf(kept)
  // The messages are called with entities of this model only.
  const messages = options.messages as (transition: EntityTransition<object>) => readonly Message[]
  return keepOutbox(kept, {
    ...options,
    beginning,
    rows: rowFilter(kept, [beginning]),
    messages: (transition) =>
      messages({
        before: transition.before && codec.read(transition.before),
        after: transition.after && codec.read(transition.after),
        isMigrated: isMigrated(kept, transition),
      }),
  })
}

/** The options of {@link keepOutbox}. */
interface RowOutboxOptions
  extends Omit<OutboxRules, 'model' | 'writeTimeout' | 'attempts'>,
    Pick<OutboxOptions<never, never>, 'writeTimeout' | 'attempts'> {}

/** Lets the writes of a model store messages that are made from rows as they are stored. */
export function keepOutbox<Message, Partition extends object>(
  model: EntityModel<object, object, object>,
  options: RowOutboxOptions,
): Outbox<Message, Partition> {
  const { writeTimeout = 10_000, attempts = 5 } = options
  const beginnings = new Map([['the messages of its outbox', options.beginning]])
  checkBeginnings(model, beginnings, keepersOf(model))
  const keeper = new OutboxKeeper({ ...options, model, writeTimeout, attempts })
  keepRows(model, keeper, 'declareOutbox')
  const parts = { keeper, looks: new PartitionTurns(), sends: new PartitionTurns() }
  return declared(model, 'an outbox', (table) => new OutboxTable(parts, table))
}
