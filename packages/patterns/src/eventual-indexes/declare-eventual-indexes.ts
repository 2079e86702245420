import type { EntityModel, KeptTable } from '@rowkey/mapper'
import type { CallOptions } from '@rowkey/rest'
import { type Catalogue, isKept } from '../derived/catalogue.ts'
import { declareDerived } from '../derived/keeper.ts'
import { keptBeginning } from '../derived/kept-key.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { aDuration, aModel, aRecord } from '../errors/rules.ts'
import type { Indexes, IndexesOptions } from '../indexes/declare-indexes.ts'
import { eventualIndexDefinition } from '../indexes/index-checks.ts'
import type { CheckedIndexes, EventualIndexDefinition } from '../indexes/index-definition.ts'
import { type EntityIndex, indexesOf } from '../indexes/index-entry.ts'
import { IndexedTable, type IndexWorker } from '../indexes/indexed-table.ts'
import type { EntryFollower, IndexScrub } from '../indexes/settle-row.ts'
import { declarePattern } from '../options/pattern-options.ts'
import { announcedRules, keepOutbox, type OutboxOptions } from '../outbox/declare-outbox.ts'
import type { Announce, OutboxRules } from '../outbox/outbox-keeper.ts'
import { headKey, outboxPlace } from '../outbox/outbox-rows.ts'
import type { OutboxTable } from '../outbox/outbox-table.ts'
import { readOutbox } from '../outbox/stored-outbox.ts'
import { removing, storeTogether } from '../rows/changes.ts'
import { declared } from '../rows/model-table.ts'
import { textIs } from '../rows/row-filter.ts'
import { partitionsWith } from '../rows/scan-rows.ts'
import { isSameKey } from '../rows/stored-row.ts'
import { pageComparison } from './compare-pages.ts'
import { followRow, messagesOf, type RowMessage } from './follow-row.ts'

/** The options of {@link declareEventualIndexes}. */
export interface EventualIndexesOptions
  extends Pick<OutboxOptions<never, never>, 'writeTimeout'>,
    IndexesOptions {
  /**
   * Tells the workers that a partition has writes that the indexes must follow: sends a job whose handler calls
   * {@link IndexedTable.deliver}. It is called before the transaction.
   *
   * @param partition - passed to `deliver` as it is
   * @param delay - milliseconds before the job may be done
   * @param options - for `send` of a worker
   * @param account - the account of the table, for programs with several: each needs jobs of its own
   */
  readonly announce: Announce
}

const eventualOptions = declarePattern<EventualIndexesOptions>({
  ...announcedRules,
  lease: aDuration,
})

/**
 * Declares indexes whose entries lie in other partitions, or in another table. Each write stores a message in its
 * own transaction, and a worker brings the entries in step a moment later. A read by an eventual index does not
 * name a partition of the entities.
 *
 * Call it next to the model, before the first write.
 *
 * @param model - the model
 * @param definitions - the indexes by their names
 * @param options - how workers learn of writes
 * @throws ModelError when the model cannot have an index
 *
 * @example
 * ```ts
 * const byEmail = declareEventualIndexes(
 *   Employee,
 *   { email: { partitionKey: key`${'email'}`, rowKey: key`${'department'}_${'id:6'}`, table: 'lookups' } },
 *   { announce: (partition, delay, call) => jobs.send('index', partition, delay, call) },
 * )
 * // in the handlers of the job queue: { index: async (partition, delivery) => void (await byEmail.on(account).deliver(partition, delivery)) }
 * ```
 */
export function declareEventualIndexes<
  Entity extends object,
  Input extends object,
  Key extends object,
  const Definitions extends Readonly<Record<string, EventualIndexDefinition<Entity>>>,
  Partition extends object = Partial<Key>,
>(
  model: EntityModel<Entity, Input, Key, Partition>,
  definitions: Definitions &
    Readonly<Record<string, EventualIndexDefinition<Entity>>> &
    CheckedIndexes<Entity, Definitions>,
  options: EventualIndexesOptions,
): Indexes<Entity, Input, Key, Definitions, Partition> {
  eventualOptions.check(options, 'declareEventualIndexes')
  checkArgument(aModel, model, 'declareEventualIndexes')
  const { lease, ...outboxOptions } = options
  const { writeTimeout = 10_000 } = options
  checkArgument(aRecord, definitions, 'declareEventualIndexes')
  const kept = model as EntityModel<object, object, object>
  const beginning = keptBeginning('ob', kept, 'indexes')
  const indexes = indexesOf(kept, definitions, eventualIndexDefinition)
  const all = [...indexes.values()]
  const catalogue = declareDerived(kept, all, lease, 'declareEventualIndexes')
  const outbox = keepOutbox<RowMessage, object>(kept, {
    ...outboxOptions,
    // A message that became a dead letter would leave the index wrong without a word.
    attempts: Number.POSITIVE_INFINITY,
    beginning,
    touches: (names) => all.some((index) => index.touches(names)),
    messages: (transition, table) =>
      messagesOf(
        all.map((index) => index.in(table)),
        transition,
        table,
      ),
  })
  const followed = { beginning, writeTimeout }
  const comparison = pageComparison(kept, followerIn(followed))
  const parts = { model, indexes, catalogue, comparison }
  return declared(kept, `the indexes of ${kept.title}`, (table) => {
    const messages = outbox.on(table.account, { name: table.name })
    return new IndexedTable(
      { ...parts, worker: workerOf(all, catalogue, followed, messages, table) },
      table,
    )
  })
}

/** Makes what brings the indexes of one table in step. */
function workerOf(
  all: readonly EntityIndex[],
  catalogue: Catalogue,
  { beginning, writeTimeout }: FollowedOutbox,
  outbox: OutboxTable<RowMessage, object>,
  table: KeptTable,
): IndexWorker {
  const { service } = table
  const placeIn = (partitionKey: string) => outboxPlace({ beginning }, table, partitionKey)
  const follow = async (message: RowMessage, call: CallOptions) => {
    const entries = await catalogue.forWrite(table, call)
    // Workers that declare the index follow the message.
    const other = Object.keys(message.entries).find(
      (id) => entries[id] !== undefined && isKept(entries[id]) && all.every((own) => own.id !== id),
    )
    if (other !== undefined) throw catalogue.undeclared(table, other)
    const indexes = all.filter(({ id }) => isKept(entries[id])).map((index) => index.in(table))
    await followRow({ indexes, table, writeTimeout }, message, call)
  }
  // A message that failed waits for its workers, and not for a caller who needs the index now.
  const followAll = async (partitions: readonly string[], call: CallOptions) => {
    let followed = 0
    const failures: unknown[] = []
    for (const partitionKey of partitions) {
      const { messages, unreadable } = await readOutbox(placeIn(partitionKey), call)
      if (unreadable !== undefined) failures.push(unreadable)
      for (const { key, etag, text } of messages) {
        try {
          await follow(JSON.parse(text), call)
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
  return {
    deliver: (partition, job) => outbox.deliver(partition, follow, job),
    refresh: (partitionKey, options) =>
      service.call(options, 'refresh of indexes', (call) =>
        followAll([partitionKey], call.options),
      ),
    sweep: (options) =>
      service.call(options, 'sweep of indexes', async ({ options: call }) => {
        const heads = textIs('RowKey', 'eq', headKey(placeIn('')).rowKey)
        return followAll(await partitionsWith(table, heads, call), call)
      }),
  }
}

/** What the messages of the indexes are known by. */
type FollowedOutbox = Pick<OutboxRules, 'beginning' | 'writeTimeout'>

/** Makes what follows rows in place of the workers, when no message about them waits. */
function followerIn({ writeTimeout, ...outbox }: FollowedOutbox) {
  return ({ table, definitions: indexes, options }: IndexScrub): EntryFollower => ({
    // A worker that follows a message removes the entries that it names, and adds the wanted one.
    async pending({ partitionKey, rowKey }) {
      const place = outboxPlace(outbox, table, partitionKey)
      const { messages, unreadable } = await readOutbox(place, options)
      if (unreadable !== undefined) throw unreadable
      const own = messages.filter(({ source }) => source === rowKey)
      const named = own.map(({ text }) => (JSON.parse(text) as RowMessage).entries)
      return ({ index: { id }, key, wanted }) =>
        named.some(({ [id]: keys }) =>
          keys?.some((each) => wanted !== undefined || isSameKey(each, key)),
        )
    },
    follow(row, keys) {
      const entries = Object.fromEntries(indexes.map(({ id }) => [id, keys]))
      return followRow({ indexes, table, writeTimeout }, { row, entries }, options)
    },
  })
}
