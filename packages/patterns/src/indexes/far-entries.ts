import type { EntityModel, KeptTable } from '@rowkey/mapper'
import type { CallOptions } from '@rowkey/rest'
import { type Catalogue, isKept } from '../derived/catalogue.ts'
import { keptBeginning } from '../derived/kept-key.ts'
import { serveOutbox } from '../outbox/declare-outbox.ts'
import { headKey, type OutboxPlace, outboxPlace } from '../outbox/outbox-rows.ts'
import { readOutbox } from '../outbox/stored-outbox.ts'
import { removing, storeTogether } from '../rows/changes.ts'
import { textIs } from '../rows/row-filter.ts'
import { partitionsWith } from '../rows/scan-rows.ts'
import { isSameKey } from '../rows/stored-row.ts'
import type { Work } from '../worker/work.ts'
import { followRow, messagesOf, type RowMessage } from './follow-row.ts'
import type { EntityIndex } from './index-entry.ts'
import type { EntryFollower, IndexScrub } from './settle-row.ts'

/** The entries of a model that lie in partitions of their own: each write stores a message beside its row, and a worker follows it. */
export class FarEntries {
  readonly #model: EntityModel<object, object, object>
  readonly #indexes: readonly EntityIndex[]
  readonly #catalogue: Catalogue
  readonly #beginning: string

  /**
   * @param model - the model of the rows
   * @param indexes - its indexes in other partitions
   * @param catalogue - their states
   */
  constructor(
    model: EntityModel<object, object, object>,
    indexes: readonly EntityIndex[],
    catalogue: Catalogue,
  ) {
    this.#model = model
    this.#indexes = indexes
    this.#catalogue = catalogue
    this.#beginning = keptBeginning('ob', model, 'indexes')
  }

  /** Lets the writes of the model store messages, and a worker follow them. */
  serve(worker: Work<object>): void {
    serveOutbox<RowMessage, object>(this.#model, worker, {
      beginning: this.#beginning,
      writeTimeout: this.#catalogue.lease,
      // A message that became a dead letter would leave the index wrong without a word.
      attempts: Number.POSITIVE_INFINITY,
      touches: (names) => this.#indexes.some((index) => index.touches(names)),
      messages: (transition, table) =>
        messagesOf(
          this.#indexes.map((index) => index.in(table)),
          transition,
          table,
        ),
      handle: (message, { options }, table) => this.#follow(message as RowMessage, table, options),
    })
  }

  /** Follows the messages of one partition now. A message that failed waits for its worker, and not for a caller who needs the index. */
  async refresh(table: KeptTable, partitionKey: string, options: CallOptions): Promise<number> {
    if (this.#indexes.length === 0) return 0
    return table.service.call(options, 'refresh of indexes', (call) =>
      this.#followAll([partitionKey], table, call.options),
    )
  }

  /** Follows the messages of all partitions now. */
  async drain(table: KeptTable, options: CallOptions): Promise<number> {
    if (this.#indexes.length === 0) return 0
    return table.service.call(options, 'drain of indexes', async ({ options: call }) => {
      const heads = textIs('RowKey', 'eq', headKey(this.#placeIn(table, '')).rowKey)
      return this.#followAll(await partitionsWith(table, heads, call), table, call)
    })
  }

  /** Makes what follows rows in place of the worker, when no message about them waits. */
  readonly follower = ({ table, definitions, options }: IndexScrub): EntryFollower => ({
    writeTimeout: this.#catalogue.lease,
    // A worker that follows a message removes the entries that it names, and adds the wanted one.
    pending: async (partitionKey) => {
      const { messages, unreadable } = await readOutbox(this.#placeIn(table, partitionKey), options)
      if (unreadable !== undefined) throw unreadable
      const named = new Map<string, RowMessage['entries'][]>()
      for (const { source, text } of messages) {
        const { entries } = JSON.parse(text) as RowMessage
        named.set(source, [...(named.get(source) ?? []), entries])
      }
      return ({ index: { id }, key, row, wanted }) =>
        (named.get(row.rowKey) ?? []).some(({ [id]: keys }) =>
          keys?.some((each) => wanted !== undefined || isSameKey(each, key)),
        )
    },
    follow: (row, keys) => {
      const entries = Object.fromEntries(definitions.map(({ id }) => [id, keys]))
      return this.#followRow(definitions, { row, entries }, table, options)
    },
  })

  async #followAll(
    partitions: readonly string[],
    table: KeptTable,
    call: CallOptions,
  ): Promise<number> {
    let followed = 0
    const failures: unknown[] = []
    for (const partitionKey of partitions) {
      const place = this.#placeIn(table, partitionKey)
      const { messages, unreadable } = await readOutbox(place, call)
      if (unreadable !== undefined) failures.push(unreadable)
      for (const { key, etag, text } of messages) {
        try {
          await this.#follow(JSON.parse(text), table, call)
          // A message that another worker has changed meanwhile is followed again.
          await storeTogether(table, [removing(table.name, key, etag)], call)
          followed++
        } catch (error) {
          failures.push(error)
        }
      }
    }
    if (failures.length > 0) throw failures[0]
    return followed
  }

  async #follow(message: RowMessage, table: KeptTable, call: CallOptions): Promise<void> {
    const entries = await this.#catalogue.forWrite(table, call)
    // Workers that declare the index follow the message.
    const isOther = (id: string) => this.#indexes.every((own) => own.id !== id)
    const other = Object.keys(message.entries).find(
      (id) => entries[id] !== undefined && isKept(entries[id]) && isOther(id),
    )
    if (other !== undefined) throw this.#catalogue.undeclared(table, other)
    const kept = this.#indexes.filter(({ id }) => isKept(entries[id]))
    await this.#followRow(
      kept.map((index) => index.in(table)),
      message,
      table,
      call,
    )
  }

  async #followRow(
    indexes: readonly EntityIndex[],
    message: RowMessage,
    table: KeptTable,
    options: CallOptions,
  ): Promise<void> {
    // A write that takes longer than a lease no longer arrives.
    const writeTimeout = this.#catalogue.lease
    await followRow({ indexes, table, writeTimeout }, message, options)
  }

  #placeIn(table: KeptTable, partitionKey: string): OutboxPlace {
    return outboxPlace({ beginning: this.#beginning }, table, partitionKey)
  }
}
