import type { Account, Table, TableQuery } from '@rowkey/mapper'
import { aFunction, DynamicEntity, required } from '@rowkey/odata'
import { lt } from '@rowkey/query'
import { BatchError, type CallOptions, ServiceError, type TableService } from '@rowkey/rest'
import { checkAccount, checkMilliseconds, checkName, checkText } from '../errors/check-arguments.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { aName } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'
import {
  checkReceive,
  checkReceived,
  type Queue,
  type QueueDepth,
  type QueueMessage,
  type ReceiveOptions,
} from './queue.ts'

/** The options of {@link tableQueue}. */
export interface TableQueueOptions {
  /** The name of the table, which must exist. Several queues may share it: each has a partition of its own. */
  readonly table: string
  /**
   * Makes the id of a message.
   *
   * @defaultValue `crypto.randomUUID`
   */
  readonly newId?: (() => string) | undefined
}

const queueOptions = declarePattern<TableQueueOptions>({
  table: required(aName),
  newId: aFunction,
})

/**
 * Makes a queue in a table, for programs that have no queue service. Each message is a row whose RowKey begins
 * with the time from which on it is visible, so a receiver reads only visible messages. To receive a message, it
 * moves the row to a later time by its ETag: of several receivers one succeeds.
 *
 * A queue lies in one partition, and so has its throughput: about 2,000 operations each second. Use several
 * queues, or a queue service, for more. The clocks of the programs must agree to a small part of the
 * visibility time. A message has at most 32,000 characters.
 *
 * @param account - the account of the table
 * @param name - the name of the queue: its PartitionKey
 * @param options - the table
 *
 * @example
 * ```ts
 * const queue = tableQueue(account, 'archive', { table: 'queues' })
 * await queue.send('employee 456')
 * ```
 */
export function tableQueue(account: Account, name: string, options: TableQueueOptions): Queue {
  checkAccount(account, 'tableQueue')
  checkName(name, 'The name of tableQueue')
  queueOptions.check(options, 'tableQueue')
  const { table, newId = () => crypto.randomUUID() } = options
  return new TableQueue(account, { name, table, newId })
}

const MAX_CHARACTERS = 32_000
/** The most visible messages that one look at the queue reads. */
const MAX_WINDOW = 256
/** The most characters of a message that is received in one transaction with others, so that 32 of them fit. */
const SHORT = 16_000

/** A message that is moved to another time. */
interface Move {
  /** Where it is stored. */
  readonly from: { readonly rowKey: string; readonly etag?: string | undefined }
  readonly message: Omit<QueueMessage, 'receipt'>
  /** The row that replaces it. */
  readonly to: DynamicEntity
}

function isShort({ message }: Move): boolean {
  return message.text.length <= SHORT
}

function receivedAt({ message, to }: Move): QueueMessage {
  return { ...message, receipt: JSON.stringify([to.rowKey, to.etag]) }
}

/** Reads the first rows of a query, over as many empty pages as come. */
async function firstPage(
  query: TableQuery<DynamicEntity>,
  options: CallOptions,
): Promise<readonly DynamicEntity[]> {
  for await (const { items } of query.byPage(options)) if (items.length > 0) return items
  return []
}

class TableQueue implements Queue {
  readonly name: string
  readonly #rows: Table<DynamicEntity>
  readonly #service: TableService
  readonly #newId: () => string
  /** How many times more messages than wanted a look reads. */
  #spread = 1

  constructor(
    account: Account,
    { name, table, newId }: { readonly name: string } & Required<TableQueueOptions>,
  ) {
    this.name = name
    this.#rows = account.table(table)
    this.#service = account.service
    this.#newId = newId as () => string // absent only in the options
  }

  async send(text: string, delay = 0, options: CallOptions = {}): Promise<void> {
    checkText(text, `A message for queue ${this.name}`)
    checkMilliseconds(delay, `The delay of a message for queue ${this.name}`)
    if (text.length > MAX_CHARACTERS) throw tooLong(this.name, text.length)
    const sentAt = this.#service.now()
    const id = this.#newId()
    const row = this.#row({ id, text, dequeueCount: 0, sentAt }, sentAt + delay)
    await this.#rows.insert(row, options)
  }

  async receive(options: ReceiveOptions, call: CallOptions = {}): Promise<readonly QueueMessage[]> {
    checkReceive(options, this.name)
    return this.#service.pendingCalls.runSeries(call, (within) => this.#receive(options, within))
  }

  async #receive(
    { count, visibility }: ReceiveOptions,
    call: CallOptions,
  ): Promise<readonly QueueMessage[]> {
    const now = this.#service.now()
    const window = Math.min(count * this.#spread, Math.max(count, MAX_WINDOW))
    const query = this.#rows
      .query()
      .where({ partitionKey: this.name, rowKey: lt(timeText(now + 1)) })
      .pageSize(window)
    const visible = await firstPage(query, call)
    const taken = this.#someOf(visible, count).map((row): Move => {
      const message = messageOf(row)
      const received = { ...message, dequeueCount: message.dequeueCount + 1 }
      return { from: row, message: received, to: this.#row(received, now + visibility) }
    })
    const moved = await this.#moveAll(taken, call)
    // Receivers that lose rows to each other look at more of them next time.
    const isCrowded = moved.length < taken.length
    this.#spread = isCrowded
      ? Math.min(this.#spread * 4, MAX_WINDOW)
      : Math.max(1, this.#spread / 2)
    return moved
  }

  /** Chooses rows at random when more are visible, so that receivers do not all take the same ones. */
  #someOf(visible: readonly DynamicEntity[], count: number): readonly DynamicEntity[] {
    if (visible.length <= count) return visible
    const left = [...visible]
    for (let last = left.length - 1; last > 0; last--) {
      const other = Math.floor(this.#service.random() * (last + 1))
      ;[left[last], left[other]] = [left[other] as DynamicEntity, left[last] as DynamicEntity]
    }
    return left.slice(0, count).sort((one, other) => (one.rowKey < other.rowKey ? -1 : 1))
  }

  /** Moves all messages in one transaction while no other receiver interferes, and otherwise each alone. */
  async #moveAll(moves: readonly Move[], call: CallOptions): Promise<readonly QueueMessage[]> {
    const inPlace = moves.some(({ from, to }) => from.rowKey === to.rowKey)
    if (moves.length > 1 && this.#spread === 1 && !inPlace && moves.every(isShort)) {
      const batch = this.#rows.batch()
      for (const { from, to } of moves) {
        batch.delete([this.name, from.rowKey], { etag: from.etag ?? '' }).insert(to)
      }
      try {
        await batch.submit(call)
        return moves.map(receivedAt)
      } catch (error) {
        if (!isTaken(error)) throw error
      }
    }
    const moved = await Promise.all(moves.map((each) => this.#move(each, call)))
    return moved.flatMap((message) => message ?? [])
  }

  async extend(
    message: QueueMessage,
    visibility: number,
    options: CallOptions = {},
  ): Promise<QueueMessage | undefined> {
    checkMilliseconds(visibility, `visibility of queue ${this.name}`)
    const { rowKey, etag } = receiptOf(message, this.name)
    if (message.text.length > MAX_CHARACTERS) throw tooLong(this.name, message.text.length)
    const to = this.#row(message, this.#service.now() + visibility)
    return this.#move({ from: { rowKey, etag }, message, to }, options)
  }

  async delete(message: QueueMessage, options: CallOptions = {}): Promise<boolean> {
    const { rowKey, etag } = receiptOf(message, this.name)
    try {
      return await this.#rows.deleteIfExists([this.name, rowKey], { ...options, etag })
    } catch (error) {
      if (isTaken(error)) return false
      throw error
    }
  }

  async depth(): Promise<QueueDepth> {
    let messages = 0
    let oldest: number | undefined
    for await (const row of this.#rows.query().where({ partitionKey: this.name })) {
      const { sentAt } = messageOf(row)
      messages++
      oldest = oldest === undefined ? sentAt : Math.min(oldest, sentAt)
    }
    return { messages, oldest }
  }

  async inSeries<Result>(work: (options: CallOptions) => Promise<Result>): Promise<Result> {
    return this.#service.pendingCalls.runSeries({}, work)
  }

  /** Moves a message to another time, unless another receiver has moved or deleted it. */
  async #move(move: Move, options: CallOptions): Promise<QueueMessage | undefined> {
    const { from, to } = move
    const etag = from.etag ?? ''
    try {
      // Its own key cannot be deleted and stored in one transaction.
      if (to.rowKey === from.rowKey) await this.#rows.replace(to, { ...options, etag })
      else
        await this.#rows
          .batch()
          .delete([this.name, from.rowKey], { etag })
          .insert(to)
          .submit(options)
      return receivedAt(move)
    } catch (error) {
      if (isTaken(error)) return undefined
      throw error
    }
  }

  #row(
    { id, text, dequeueCount, sentAt }: Omit<QueueMessage, 'receipt'>,
    visibleAt: number,
  ): DynamicEntity {
    return new DynamicEntity(this.name, `${timeText(visibleAt)}_${id}`, {
      Id: id,
      Text: text,
      DequeueCount: dequeueCount,
      SentAt: new Date(sentAt),
    })
  }
}

/** Reads a message. A row that another program stored must not stop the queue: its worker rejects the text. */
function messageOf(row: DynamicEntity): Omit<QueueMessage, 'receipt'> {
  const [id, text, count, sentAt] = ['Id', 'Text', 'DequeueCount', 'SentAt'].map(
    (name) => row.get(name)?.value,
  )
  const keyed = row.rowKey.slice(row.rowKey.indexOf('_') + 1)
  return {
    id: typeof id === 'string' ? id : keyed,
    text: typeof text === 'string' ? text : '',
    dequeueCount: typeof count === 'number' ? count : 0,
    sentAt: sentAt instanceof Date ? sentAt.getTime() : (row.timestamp?.getTime() ?? 0),
  }
}

function receiptOf(
  message: QueueMessage,
  queue: string,
): { readonly rowKey: string; readonly etag: string } {
  checkReceived(message, queue)
  const { receipt } = message
  const [rowKey, etag] = receiptParts(receipt)
  if (typeof rowKey === 'string' && typeof etag === 'string') return { rowKey, etag }
  throw invalidPatternOption(
    'The receipt of a message was not made by this queue. Pass the message that receive or extend returned.',
  )
}

function receiptParts(receipt: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(receipt)
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

function isTaken(error: unknown): boolean {
  // The deletes have the even indexes; an insert under the key of a new time is the first of its key.
  if (error instanceof BatchError && (error.index ?? 1) % 2 !== 0) return false
  return (
    error instanceof ServiceError &&
    [404, 412].includes(error.status) &&
    error.code !== 'TableNotFound'
  )
}

/** Times with the same number of digits sort as text. */
function timeText(ms: number): string {
  return String(Math.max(0, Math.floor(ms))).padStart(15, '0')
}

function tooLong(queue: string, characters: number): Error {
  return invalidPatternOption(
    `A message for queue ${queue} has ${characters} characters, and at most ${MAX_CHARACTERS} are allowed. Store the text elsewhere, and send its key.`,
  )
}
