import { type Account, type EntityModel, type KeptTable, keepRows } from '@rowkey/mapper'
import type { EntityKey } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { CATALOGUE, IndexCatalogue } from '../catalogue/index-catalogue.ts'
import {
  checkBeginnings,
  checkDefinition,
  eventualIndexDefinition,
} from '../definitions/index-checks.ts'
import type { CheckedIndexes, EventualIndexDefinition } from '../definitions/index-definition.ts'
import { EntityIndex } from '../definitions/index-entry.ts'
import { checkModel, checkRecord } from '../errors/check-arguments.ts'
import { aDuration } from '../errors/rules.ts'
import { IndexedTable, type IndexedTableOptions } from '../indexes/indexed-table.ts'
import { declarePattern } from '../options/pattern-options.ts'
import { announcedRules, keepOutbox, Outbox } from '../outbox/declare-outbox.ts'
import type { Announce, OutboxKeeper } from '../outbox/outbox-keeper.ts'
import type { MessageHandler } from '../outbox/outbox-table.ts'
import { readOutbox } from '../outbox/stored-outbox.ts'
import { beginningOf, rowFilter } from '../rows/row-filter.ts'
import { CatalogueGuard } from './catalogue-guard.ts'
import { pageComparison } from './compare-pages.ts'
import { followRow, messagesOf, type RowMessage } from './follow-row.ts'

/** The options of {@link declareEventualIndexes}. */
export interface EventualIndexesOptions {
  /**
   * Tells the workers that a partition has writes that the indexes must follow: sends a job whose handler calls
   * {@link IndexedTable.deliver}. It is called before the transaction.
   *
   * @param partition - passed to `deliver` as it is
   * @param delay - milliseconds before the job may be done
   * @param options - for `send` of a `JobQueue`
   * @param account - the account of the table, for programs with several: each needs jobs of its own
   */
  readonly announce: Announce
  /**
   * Milliseconds after an announcement within which a write usually ends: see `declareOutbox`.
   *
   * @defaultValue 10_000
   */
  readonly writeTimeout?: number | undefined
  /**
   * The beginning of the RowKeys of the messages to the workers.
   *
   * @defaultValue `'indexbox_'` and the beginning of the RowKeys of the model
   */
  readonly beginning?: string | undefined
  /**
   * Makes the id of a message.
   *
   * @defaultValue `crypto.randomUUID`
   */
  readonly newId?: (() => string) | undefined
  /**
   * Milliseconds for which a process may use a state of an index that it read.
   *
   * @defaultValue `10_000`
   */
  readonly lease?: number | undefined
}

const eventualOptions = declarePattern<EventualIndexesOptions>({
  ...announcedRules,
  lease: aDuration,
})

/** The eventual indexes of a model, from {@link declareEventualIndexes}. */
export class EventualIndexes<
  Entity extends object,
  Input extends object,
  Key extends object,
  Definitions extends object,
> {
  readonly #model: EntityModel<Entity, Input, Key>
  readonly #indexes: readonly EntityIndex[]
  readonly #beginning: string
  readonly #outbox: Outbox<RowMessage, object>
  readonly #catalogue: IndexCatalogue<EntityIndex>

  /** @internal */
  constructor(
    model: EntityModel<Entity, Input, Key>,
    indexes: readonly EntityIndex[],
    keeper: OutboxKeeper,
    catalogue: IndexCatalogue<EntityIndex>,
  ) {
    this.#model = model
    this.#indexes = indexes
    this.#beginning = keeper.rules.beginning
    this.#outbox = new Outbox(model as EntityModel<object, object, object>, keeper)
    this.#catalogue = catalogue
  }

  /**
   * Returns the indexes of one table: to read by them, to build and to verify them. Nothing is sent.
   *
   * @param account - the account of the table
   * @param options - the name of the table
   */
  on(
    account: Account,
    options: IndexedTableOptions = {},
  ): IndexedTable<Entity, Input, Key, Definitions> {
    const model = this.#model as EntityModel<object>
    return new IndexedTable(
      {
        model: this.#model,
        indexes: new Map(this.#indexes.map((index) => [index.name, index])),
        catalogue: this.#catalogue,
        // An index of the same name in the partitions of the entities has a state of its own.
        family: 'eventual.',
        comparison: (table) => pageComparison(model, table, (call) => this.#pendingIn(table, call)),
        worker: (owner, table) => {
          const outbox = this.#outbox.on(owner, { name: table.name })
          const { pendingCalls } = table.service
          return {
            deliver: (partition, job) =>
              pendingCalls.runSeries(job.options ?? {}, async (call) =>
                outbox.deliver(partition, await this.#follower(table, call), {
                  ...job,
                  options: call,
                }),
              ),
            sweep: (given) =>
              pendingCalls.runSeries(given, async (call) =>
                outbox.sweep(await this.#follower(table, call), call),
              ),
          }
        },
      },
      account,
      options,
    )
  }

  /** Tells whether the outbox has a message about a row. */
  #pendingIn(table: KeptTable, options: CallOptions) {
    return async (row: EntityKey): Promise<boolean> => {
      const { partitionKey } = row
      const place = { table: table.name, partitionKey, beginning: this.#beginning }
      const { messages, unreadable } = await readOutbox(table, place, options)
      if (unreadable !== undefined) throw unreadable
      return messages.some(({ source }) => source === row.rowKey)
    }
  }

  /**
   * Returns what follows a message.
   *
   * @throws InputError (`IndexDeclarationDiffers`) when another program keeps the indexes: its workers follow the message
   */
  async #follower(table: KeptTable, options: CallOptions): Promise<MessageHandler<RowMessage>> {
    const states = await this.#catalogue.kept(table, options)
    const followed = this.#indexes.filter((index) => states.get(index) !== 'disabled')
    return (message, call) => followRow(followed, table, message, call)
  }
}

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
 *   { email: { partitionKey: key`${'email'}`, rowKey: key`email_${'department'}_${'id:6'}`, table: 'lookups' } },
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
>(
  model: EntityModel<Entity, Input, Key>,
  definitions: Definitions &
    Readonly<Record<string, EventualIndexDefinition<Entity>>> &
    CheckedIndexes<Entity, Definitions>,
  options: EventualIndexesOptions,
): EventualIndexes<Entity, Input, Key, Definitions> {
  eventualOptions.check(options, 'declareEventualIndexes')
  checkModel(model, 'declareEventualIndexes')
  const { lease = 10_000, ...outboxOptions } = options
  const { beginning = `indexbox_${beginningOf(model.rowKey)}` } = options
  checkRecord(definitions, 'declareEventualIndexes')
  const kept = model as EntityModel<object>
  const indexes = Object.entries(definitions).map(([name, definition]) => {
    checkDefinition(name, kept.title, definition, eventualIndexDefinition)
    // `where` is called with entities of this model only.
    return new EntityIndex(name, kept, definition as EventualIndexDefinition)
  })
  const beginnings = indexes.map((index) => [index.name, index.beginning] as const)
  checkBeginnings(kept, new Map([...beginnings, ['the outbox', beginning]]))
  const others = [CATALOGUE, beginning, ...beginnings.map(([, text]) => text)]
  const catalogue = new IndexCatalogue(indexes, lease)
  keepRows(kept, new CatalogueGuard(catalogue, indexes), 'declareEventualIndexes')
  const keeper = keepOutbox(kept, {
    ...outboxOptions,
    // A message that became a dead letter would leave the index wrong without a word.
    attempts: Number.POSITIVE_INFINITY,
    beginning,
    rows: rowFilter(kept, others),
    touches: (names) => indexes.some((index) => index.touches(names)),
    messages: (transition) => messagesOf(indexes, transition),
  })
  return new EventualIndexes(model, indexes, keeper, catalogue)
}
