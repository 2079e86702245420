import type { Account, Table } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { lt } from '@rowkey/query'
import {
  BatchError,
  type CallOptions,
  checkOptions,
  ServiceError,
  type TableService,
} from '@rowkey/rest'
import {
  checkAccount,
  checkFunction,
  checkMilliseconds,
  checkName,
  checkOptional,
  checkText,
} from '../errors/check-arguments.ts'
import { patternsInputError } from '../errors/codes.ts'
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
  checkOptions(options, ['table', 'newId'], 'tableQueue')
  checkName(options.table, 'table of tableQueue')
  checkOptional(options.newId, checkFunction, 'newId of tableQueue')
  const { table, newId = () => crypto.randomUUID() } = options
  return new TableQueue(account, { name, table, newId })
}

const MAX_CHARACTERS = 32_000

class TableQueue implements Queue {
  readonly name: string
  readonly #rows: Table<DynamicEntity>
  readonly #service: TableService
  readonly #newId: () => string

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
    const visible = await this.#rows
      .query()
      .where({ partitionKey: this.name, rowKey: lt(timeText(now + 1)) })
      .take(count)
      .toArray(call)
    const moved = await Promise.all(
      visible.map((row) => {
        const message = messageOf(row)
        const received = { ...message, dequeueCount: message.dequeueCount + 1 }
        return this.#move(row, received, now + visibility, call)
      }),
    )
    return moved.flatMap((message) => message ?? [])
  }

  async extend(
    message: QueueMessage,
    visibility: number,
    options: CallOptions = {},
  ): Promise<QueueMessage | undefined> {
    checkMilliseconds(visibility, `visibility of queue ${this.name}`)
    const place = receiptOf(message, this.name)
    return this.#move(place, message, this.#service.now() + visibility, options)
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
  async #move(
    { rowKey, etag = '' }: { readonly rowKey: string; readonly etag?: string | undefined },
    message: Omit<QueueMessage, 'receipt'>,
    visibleAt: number,
    options: CallOptions,
  ): Promise<QueueMessage | undefined> {
    const row = this.#row(message, visibleAt)
    try {
      // Its own key cannot be deleted and stored in one transaction.
      if (row.rowKey === rowKey) await this.#rows.replace(row, { ...options, etag })
      else
        await this.#rows.batch().delete([this.name, rowKey], { etag }).insert(row).submit(options)
      return { ...message, receipt: JSON.stringify([row.rowKey, row.etag]) }
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
  throw patternsInputError({
    code: 'InvalidPatternOption',
    message:
      'The receipt of a message was not made by this queue. Pass the message that receive or extend returned.',
  })
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
  if (error instanceof BatchError && error.index !== 0) return false
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
  return patternsInputError({
    code: 'InvalidPatternOption',
    message: `A message for queue ${queue} has ${characters} characters, and at most ${MAX_CHARACTERS} are allowed. Store the text elsewhere, and send its key.`,
  })
}
