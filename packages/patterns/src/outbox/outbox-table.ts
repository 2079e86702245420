import { type DeletedPartitions, normalValues, type PartitionTurns } from '@rowkey/mapper'
import type { FilterNode, InputError } from '@rowkey/odata'
import { type CallOptions, entityGroupTransaction, perform } from '@rowkey/rest'
import { retryConflicts } from '../conflicts/retry-conflicts.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { patternsInputError } from '../errors/codes.ts'
import { printJson } from '../errors/print-json.ts'
import { anEntity } from '../errors/rules.ts'
import { atPrimary, type ManyWritesOptions, manyWritesOptions } from '../options/pattern-options.ts'
import type { ModelTable } from '../rows/model-table.ts'
import type { DeadLetter } from '../worker/dead-letter.ts'
import type { Delivery } from '../worker/delivery.ts'
import { OutboxDelivery, type OutboxJob } from './deliver-messages.ts'
import { nameOf, type OutboxKeeper, type OutboxPartition } from './outbox-keeper.ts'
import { headKey, type OutboxPlace, outboxPlace, type StoredMessage } from './outbox-rows.ts'
import { readDeadLetters, readOutbox } from './stored-outbox.ts'

/** What is known of the delivery of a message. */
export interface MessageDelivery {
  /** Identifies the message, also when it is delivered again. */
  readonly id: string
  /** How often the message was delivered, this time included, not counting the first delivery that ended with its worker. */
  readonly attempt: number
}

/** Handles a message, which it may get twice. */
export type MessageHandler<Message> = (
  message: Message,
  options: CallOptions,
  delivery: MessageDelivery,
) => Promise<void>

/** Handles a message of a table. */
export type TableHandler = (
  message: unknown,
  delivery: Delivery,
  table: ModelTable,
) => Promise<void>

/** What the tables of an outbox share. */
export interface OutboxParts {
  readonly keeper: OutboxKeeper
  readonly handle: TableHandler
  /** The looks at each partition that are pending in this process. */
  readonly looks: PartitionTurns
  /** The pending calls of `send`. */
  readonly sends: PartitionTurns
}

/** The messages of one table, from {@link declareOutbox}. */
export class OutboxTable<Message, Partition extends object> {
  readonly #parts: OutboxParts
  readonly #table: ModelTable

  /** @internal */
  constructor(parts: OutboxParts, table: ModelTable) {
    this.#parts = parts
    this.#table = table
  }

  /**
   * Stores a message in a partition without a write of an entity. All messages of the partition have one order. One consumer for
   * each partition handles them one after another, and a message waits while an earlier one fails.
   *
   * @param partition - the properties of the PartitionKey: who consumes the message
   * @param message - as JSON holds it
   * @throws InputError (`InvalidPatternOption`) for a message with a value that JSON cannot hold
   *
   * @example
   * ```ts
   * await orders.send({ customer: 'jones' }, { ship: 'A-1' })
   * ```
   */
  async send(
    partition: Partition,
    message: Message,
    options: ManyWritesOptions = {},
  ): Promise<void> {
    const { account, service, name } = this.#table
    const place = this.#placeIn(partition, options, 'send')
    const made = [{ source: '', text: printJson(message, 'The message of send of an outbox') }]
    const attempt = async (within: CallOptions): Promise<void> => {
      const call = { table: this.#table, account, written: [], attempt: 1, options: within }
      const { companions, applied } = await this.#parts.keeper.store(place.partitionKey, made, call)
      try {
        const changes = { table: name, changes: companions }
        applied?.(await perform(service, entityGroupTransaction, changes, within))
      } catch (error) {
        this.#parts.keeper.forget(place)
        throw error
      }
    }
    await service.call(options, 'send of an outbox', (call) => {
      const store = () => retryConflicts(service, attempt, call.options)
      return this.#parts.sends.run(nameOf(place), call, store)
    })
  }

  /**
   * Handles the messages of a partition in the order of their transactions, one after another, and deletes each after its handler
   * succeeded. One announced job at a time does so.
   *
   * A message whose handler fails waits 1 s, then 2 s and so on, up to 10 minutes. So do those that follow it about the same
   * entity; all others go on. After the last attempt it becomes a dead letter.
   *
   * @param partition - what was announced. Without its `ticket` the messages are handled at once, beside an announced job
   * @param handler - handles one message
   * @param job - its `attempt` tells that the last worker died. Then each attempt of a message is stored before it begins, so that a message
   * that ends its workers becomes a dead letter
   * @returns how many messages were handled
   * @internal
   */
  async deliver(
    partition: OutboxPartition,
    handler: MessageHandler<Message>,
    job: OutboxJob = {},
  ): Promise<number> {
    const place = this.#placeOf(partition.partitionKey)
    const { service } = this.#table
    return service.call(job.options ?? {}, 'deliver of an outbox', (call) => {
      const { options } = call
      const deliver = () => this.#delivery(place, handler, { ...job, options }).run(partition)
      return this.#parts.looks.run(nameOf(place), call, deliver)
    })
  }

  /**
   * Handles the messages of a partition with the handler of the outbox.
   *
   * @internal
   */
  async handleAll(partition: OutboxPartition, delivery: Delivery): Promise<number> {
    const { handle } = this.#parts
    const own: MessageHandler<Message> = async (message, options, { id, attempt }) =>
      handle(message, { ...delivery, id, attempt, options }, this.#table)
    return this.deliver(partition, own, delivery)
  }

  /**
   * Reads the messages that wait in a partition, in the order of their transactions, and handles none of
   * them.
   *
   * @param partition - the properties of the PartitionKey
   */
  async pending(partition: Partition, options: ManyWritesOptions = {}): Promise<Message[]> {
    const place = this.#placeIn(partition, options, 'pending')
    const { messages, unreadable } = await readOutbox(place, options)
    if (unreadable !== undefined) throw unreadable
    return messages.map(({ text }) => JSON.parse(text))
  }

  /**
   * Reads the messages of a partition whose handlers failed in every attempt.
   *
   * @param partition - the properties of the PartitionKey
   */
  async deadLetters(
    partition: Partition,
    options: ManyWritesOptions = {},
  ): Promise<DeadLetter<Message>[]> {
    const place = this.#placeIn(partition, options, 'deadLetters')
    const dead = await readDeadLetters(place, options)
    const { title: kind } = this.#table.model
    return dead.map(({ id, attempts, reason, text }) => ({
      id,
      kind,
      payload: JSON.parse(text),
      attempts,
      reason,
    }))
  }

  /**
   * Sends the dead letters of a partition again, as messages that were never tried.
   *
   * @param partition - the properties of the PartitionKey
   * @returns how many were sent
   */
  async retryDead(partition: Partition, options: ManyWritesOptions = {}): Promise<number> {
    const place = this.#placeIn(partition, options, 'retryDead')
    const { service } = this.#table
    return service.call(options, 'retryDead of an outbox', async ({ options: call }) => {
      const delivery = this.#delivery(place, ignore, { options: call })
      let sent = 0
      for (const dead of await readDeadLetters(place, call)) {
        if (await delivery.revive(dead)) sent++
      }
      return sent
    })
  }

  /**
   * Handles all messages of the table that are due, with or without their jobs. It reads the whole table, so use it after an accident
   * only: when jobs were lost.
   *
   * @returns how many messages were handled
   */
  async drain(options: ManyWritesOptions = {}): Promise<number> {
    manyWritesOptions.check(options, 'drain of an outbox')
    return this.#table.service.call(options, 'drain of an outbox', async ({ options: call }) => {
      let handled = 0
      for await (const partitionKey of this.#partitions(call)) {
        handled += await this.#handleNow(partitionKey, call)
      }
      return handled
    })
  }

  /**
   * Handles the messages of some partitions now.
   *
   * @throws InputError (`MessagesLeft`) when one of them is left, because its handler failed
   * @internal
   */
  async follow({ condition }: DeletedPartitions, options: CallOptions): Promise<void> {
    await this.#table.service.call(options, 'deleteAll', async ({ options: call }) => {
      for await (const partitionKey of this.#partitions(call, condition)) {
        await this.#handleNow(partitionKey, call)
        const { messages } = await readOutbox(this.#placeOf(partitionKey), call)
        const [first] = messages
        if (first !== undefined) throw messagesLeft(this.#table.name, partitionKey, first)
      }
    })
  }

  async *#partitions(
    call: CallOptions,
    among?: FilterNode,
  ): AsyncGenerator<string, void, undefined> {
    const { account, name } = this.#table
    const { rowKey } = headKey(this.#placeOf(''))
    const heads = account.table(name).query().where({ rowKey }).allowTableScan()
    // Only the compiler knows the shape of queries: the names of this condition are those of the rows.
    const wanted = among === undefined ? heads : heads.where(among as never)
    for await (const { partitionKey } of wanted.rows(atPrimary(call))) yield partitionKey
  }

  #handleNow(partitionKey: string, options: CallOptions): Promise<number> {
    const { account, name: table } = this.#table
    const { signal = new AbortController().signal } = options
    const delivery = { id: '', attempt: 1, account, signal, options, keep: isKept }
    return this.handleAll({ table, partitionKey }, delivery)
  }

  #delivery(place: OutboxPlace, handler: MessageHandler<Message>, job: OutboxJob): OutboxDelivery {
    const { account } = this.#table
    const { rules } = this.#parts.keeper
    const handle = async ({ text, id, attempts }: StoredMessage, call: CallOptions) =>
      handler(JSON.parse(text), call, { id, attempt: attempts })
    const announce = (partition: OutboxPartition, delay: number, call: CallOptions) =>
      rules.announce(partition, delay, call, account)
    return new OutboxDelivery(place, { ...rules, announce, handle }, job)
  }

  #placeIn(partition: Partition, options: CallOptions, method: string): OutboxPlace {
    const place = `${method} of an outbox`
    manyWritesOptions.check(options, place)
    checkArgument(anEntity, partition, `The partition of ${place}`)
    const { model } = this.#table
    return this.#placeOf(model.partitionKey.print(normalValues(model, partition)))
  }

  #placeOf(partitionKey: string): OutboxPlace {
    return outboxPlace(this.#parts.keeper.rules, this.#table, partitionKey)
  }
}

function messagesLeft(
  table: string,
  partitionKey: string,
  { reason, source }: StoredMessage,
): InputError {
  const problem = reason === '' ? 'is not handled yet' : `failed: ${reason}`
  return patternsInputError({
    code: 'MessagesLeft',
    message: `deleteAll of table ${table} has deleted the entities, and nothing else: a message about ${JSON.stringify([partitionKey, source])} ${problem}. Mend its handler, and call deleteAll again.`,
  })
}

/** No other worker has the messages of a call without a job. */
async function isKept(): Promise<boolean> {
  return true
}

async function ignore(): Promise<void> {
  // Nothing is handled.
}
