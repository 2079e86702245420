import type { Account, Table } from '@rowkey/mapper'
import { DynamicEntity, required } from '@rowkey/odata'
import { between, startsWith } from '@rowkey/query'
import { BatchError, type CallOptions, conflictOf, type TableService } from '@rowkey/rest'
import { QUEUED } from '../derived/kept-key.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { aDuration, aKeyText, aName, anAccount, aText } from '../errors/rules.ts'
import { atPrimary, declarePattern } from '../options/pattern-options.ts'
import { textIn } from '../rows/stored-row.ts'
import {
  checkPeek,
  checkReceive,
  checkReceived,
  type Queue,
  type QueueDepth,
  type QueueMessage,
  type ReceiveOptions,
} from './queue.ts'

const queueOptions = declarePattern<{ readonly table: string }>({ table: required(aName) })

/**
 * Makes a queue in a table, for programs that have no queue service. Each message is a row whose RowKey has `~rk~qu~`
 * and the time from which on it is visible, so a receiver reads only visible messages. To receive a message, it
 * moves the row to a later time by its ETag: of several receivers one succeeds.
 *
 * A queue lies in one partition, and so has its throughput: about 2,000 operations each second. Use several
 * queues, or a queue service, for more. The clocks of the programs must agree to a small part of the
 * visibility time. A message has at most 32,000 characters.
 *
 * @param account - the account of the table
 * @param name - the name of the queue: its PartitionKey
 * @param options - the name of the table, which must exist. Several queues may share it: each has a partition of its own
 *
 * @example
 * ```ts
 * const queue = tableQueue(account, 'archive', { table: 'queues' })
 * await queue.send('employee 456')
 * ```
 */
export function tableQueue(
  account: Account,
  name: string,
  options: { readonly table: string },
): Queue {
  checkArgument(anAccount, account, 'tableQueue')
  checkArgument(aName, name, 'The name of tableQueue')
  checkArgument(aKeyText, name, 'The name of tableQueue')
  queueOptions.check(options, 'tableQueue')
  return new TableQueue(account, name, options.table)
}

const MAX_CHARACTERS = 32_000
/** The most visible messages that one look at the queue reads. */
const MAX_WINDOW = 256
/** The most characters of messages that are received in one transaction, so that they fit. */
const MAX_TOGETHER = 512_000
/** How often a receiver looks again when others took what it saw. */
const MAX_LOOKS = 10

/** A message that is moved to another time. */
interface Move {
  /** Where it is stored. */
  readonly from: { readonly rowKey: string; readonly etag?: string | undefined }
  readonly message: Omit<QueueMessage, 'receipt'>
  /** The row that replaces it. */
  readonly to: DynamicEntity
}

function receivedAt({ message, to }: Move): QueueMessage {
  // No key has a line break.
  return { ...message, receipt: `${to.rowKey}\n${to.etag}` }
}

class TableQueue implements Queue {
  readonly name: string
  readonly place: string
  readonly #rows: Table<DynamicEntity>
  readonly #service: TableService
  /** Among how many blocks of messages a receiver chooses one. */
  #blocks = 1
  /** The pending look, whose messages its receivers share. */
  #looking: Promise<DynamicEntity[] | undefined> | undefined

  constructor(account: Account, name: string, table: string) {
    this.name = name
    this.#rows = account.table(table)
    this.#service = account.service
    this.place = `${account.service.accountId} ${table} ${name}`
  }

  async send(text: string, delay = 0, options: CallOptions = {}): Promise<void> {
    checkArgument(aText, text, `A message for queue ${this.name}`)
    checkArgument(aDuration, delay, `The delay of a message for queue ${this.name}`)
    if (text.length > MAX_CHARACTERS) throw tooLong(this.name, text.length)
    const sentAt = this.#service.now()
    const id = this.#service.newId()
    const row = this.#row({ id, text, dequeueCount: 0, sentAt }, sentAt + delay)
    await this.#rows.insert(row, options)
  }

  async receive(options: ReceiveOptions, call: CallOptions = {}): Promise<readonly QueueMessage[]> {
    checkReceive(options, this.name)
    return this.#service.call(call, `receive of queue ${this.name}`, (within) =>
      this.#receive(options, within.options),
    )
  }

  async #receive(
    { count, visibility }: ReceiveOptions,
    call: CallOptions,
  ): Promise<readonly QueueMessage[]> {
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const isOwn = this.#looking === undefined
      const seen = await this.#look(count, call)
      if (seen === undefined) {
        // A look that had begun before this call does not see a message that was sent in between.
        if (isOwn || looks > 0) return []
        continue
      }
      const now = this.#service.now()
      const moves = this.#blockOf(seen, count).map((row): Move => {
        const message = messageOf(row)
        const received = { ...message, dequeueCount: message.dequeueCount + 1 }
        return { from: row, message: received, to: this.#row(received, now + visibility) }
      })
      const taken = await this.#moveAll(moves, call)
      const isCrowded = taken.length === 0
      this.#blocks = isCrowded
        ? Math.min(this.#blocks * 4, MAX_WINDOW)
        : Math.max(1, this.#blocks / 2)
      if (!isCrowded) return taken
    }
    return []
  }

  /**
   * Reads the first visible messages: one read for all receivers of this object that wait for it, unless a call has options of
   * its own, such as a signal.
   *
   * @returns `undefined` when no message is visible
   */
  async #look(count: number, call: CallOptions): Promise<DynamicEntity[] | undefined> {
    if (hasOptions(call)) return this.#visible(count, call)
    this.#looking ??= this.#visible(count, call).finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #visible(count: number, call: CallOptions): Promise<DynamicEntity[] | undefined> {
    return this.#first(count * Math.min(this.#blocks, Math.floor(MAX_WINDOW / count)), call)
  }

  async #first(count: number, call: CallOptions): Promise<DynamicEntity[] | undefined> {
    const query = this.#rows
      .query()
      .where({ partitionKey: this.name, rowKey: between(QUEUED, timeKey(this.#service.now() + 1)) })
      .pageSize(count)
    for await (const { items } of query.byPage(atPrimary(call))) {
      if (items.length > 0) return [...items]
    }
    return undefined
  }

  /**
   * Removes a block of messages, chosen at random. Receivers take whole blocks, so what they leave is the same blocks for all of
   * them: two receivers have all their messages in common, or none.
   */
  #blockOf(seen: DynamicEntity[], count: number): readonly DynamicEntity[] {
    const block = Math.floor(this.#service.random() * Math.ceil(seen.length / count))
    return seen.splice(block * count, count)
  }

  /** Moves messages in one transaction, all or none. Those that do not fit are moved each alone. */
  async #moveAll(moves: readonly Move[], call: CallOptions): Promise<readonly QueueMessage[]> {
    if (moves.length === 0) return []
    const characters = moves.reduce((sum, { message }) => sum + message.text.length, 0)
    if (characters > MAX_TOGETHER) {
      const moved = await Promise.all(moves.map((each) => this.#moveAll([each], call)))
      return moved.flat()
    }
    const batch = this.#rows.batch()
    for (const { from, to } of moves) {
      batch.delete([this.name, from.rowKey], { etag: from.etag ?? '' }).insert(to)
    }
    return (await unlessTaken(batch.submit(call).then(() => moves.map(receivedAt)))) ?? []
  }

  async peek(count: number, options: CallOptions = {}): Promise<readonly QueueMessage[]> {
    checkPeek(count, this.name)
    const seen = (await this.#first(count, options)) ?? []
    return seen.map((row) => ({ ...messageOf(row), receipt: `${row.rowKey}\n${row.etag}` }))
  }

  async extend(
    message: QueueMessage,
    visibility: number,
    options: CallOptions = {},
  ): Promise<QueueMessage | undefined> {
    checkArgument(aDuration, visibility, `visibility of queue ${this.name}`)
    const { rowKey, etag } = receiptOf(message, this.name)
    if (message.text.length > MAX_CHARACTERS) throw tooLong(this.name, message.text.length)
    const to = this.#row(message, this.#service.now() + visibility)
    const [moved] = await this.#moveAll([{ from: { rowKey, etag }, message, to }], options)
    return moved
  }

  async delete(message: QueueMessage, options: CallOptions = {}): Promise<boolean> {
    const { rowKey, etag } = receiptOf(message, this.name)
    const deleting = this.#rows.deleteIfExists([this.name, rowKey], { ...options, etag })
    return (await unlessTaken(deleting)) ?? false
  }

  async depth(): Promise<QueueDepth> {
    let messages = 0
    let oldest: number | undefined
    // The texts would be most of what it reads.
    const times = this.#rows
      .query()
      .where({ partitionKey: this.name, rowKey: startsWith(QUEUED) })
      .select('SentAt', 'timestamp')
    for await (const row of times.rows(atPrimary({}))) {
      const { sentAt } = messageOf(row)
      messages++
      oldest = oldest === undefined ? sentAt : Math.min(oldest, sentAt)
    }
    return { messages, oldest }
  }

  /**
   * Makes the row of a message, under a key that no other row has: a send that arrives late can store a message again, and both rows may be
   * received at once. After a lost response, the key shows that the row is not that of another receiver.
   */
  #row(
    { id, text, dequeueCount, sentAt }: Omit<QueueMessage, 'receipt'>,
    visibleAt: number,
  ): DynamicEntity {
    const key = `${timeKey(visibleAt)}_${this.#service.newId()}`
    return new DynamicEntity(this.name, key, {
      Id: id,
      Text: text,
      DequeueCount: dequeueCount,
      SentAt: new Date(sentAt),
    })
  }
}

/** Tells whether a call has options of its own, beside the call that it belongs to. */
function hasOptions({ deadline, ...others }: CallOptions): boolean {
  const endsAt = typeof deadline === 'object' ? deadline.endsAt : deadline
  return (
    (endsAt ?? Number.POSITIVE_INFINITY) < Number.POSITIVE_INFINITY ||
    Object.keys(others).length > 0
  )
}

/** Reads a message. A row that another program stored must not stop the queue: its worker rejects the text. */
function messageOf(row: DynamicEntity): Omit<QueueMessage, 'receipt'> {
  const [count, sentAt] = ['DequeueCount', 'SentAt'].map((name) => row.get(name)?.value)
  const keyed = row.rowKey.slice(row.rowKey.indexOf('_') + 1)
  return {
    id: textIn(row, 'Id') ?? keyed,
    text: textIn(row, 'Text') ?? '',
    dequeueCount: typeof count === 'number' ? count : 0,
    sentAt: sentAt instanceof Date ? sentAt.getTime() : (row.timestamp?.getTime() ?? 0),
  }
}

function receiptOf(
  message: QueueMessage,
  queue: string,
): { readonly rowKey: string; readonly etag: string } {
  checkReceived(message, queue)
  const [rowKey = '', etag] = message.receipt.split('\n')
  if (etag !== undefined) return { rowKey, etag }
  throw invalidPatternOption(
    'The receipt of a message was not made by this queue. Pass the message that receive or extend returned.',
  )
}

/** Returns `undefined` when another receiver has taken a message of the call. */
async function unlessTaken<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call
  } catch (error) {
    if (isTaken(error)) return undefined
    throw error
  }
}

function isTaken(error: unknown): boolean {
  // Of a batch in a missing table, Cosmos DB names no operation.
  if (error instanceof BatchError && error.index === undefined) return false
  const conflict = conflictOf(error)
  return conflict === 'changed' || conflict === 'missing'
}

/** Returns what the keys of the messages of a time begin with. Times with the same number of digits sort as text. */
function timeKey(ms: number): string {
  return `${QUEUED}${String(Math.max(0, Math.floor(ms))).padStart(15, '0')}`
}

function tooLong(queue: string, characters: number): Error {
  return invalidPatternOption(
    `A message for queue ${queue} has ${characters} characters, and at most ${MAX_CHARACTERS} are allowed. Store the text elsewhere, and send its key.`,
  )
}
