import { type Account, type EntityModel, keepRows } from '@rowkey/mapper'
import type { EntityKey } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { CATALOGUE, IndexCatalogue } from '../catalogue/index-catalogue.ts'
import {
  checkBeginnings,
  checkDefinition,
  eventualIndexDefinition,
} from '../definitions/index-checks.ts'
import type { CheckedIndexes, EventualIndexDefinition } from '../definitions/index-definition.ts'
import { EntityIndex, isSameKey } from '../definitions/index-entry.ts'
import {
  checkAccount,
  checkEntity,
  checkModel,
  checkName,
  checkRecord,
} from '../errors/check-arguments.ts'
import { IndexedTable, type IndexedTableOptions } from '../indexes/indexed-table.ts'
import {
  aDuration,
  declarePattern,
  type ManyWritesOptions,
  manyWritesOptions,
} from '../options/pattern-options.ts'
import { announcedRules, keepOutbox, type Outbox } from '../outbox/declare-outbox.ts'
import type { OutboxPartition } from '../outbox/outbox-keeper.ts'
import { beginningOf, rowFilter } from '../rows/row-filter.ts'
import { CatalogueGuard } from './catalogue-guard.ts'
import { pageComparison } from './compare-pages.ts'
import { followRow, messagesOf, type RowMessage } from './follow-row.ts'

/** The options of {@link declareEventualIndexes}. */
export interface EventualIndexesOptions {
  /**
   * Tells the workers that a partition has writes that the indexes must follow: sends a job whose handler calls
   * {@link EventualIndexes.deliver}. It is called before the transaction.
   *
   * @param partition - passed to `deliver` as it is
   * @param delay - milliseconds before the job may be done
   */
  readonly announce: (
    partition: OutboxPartition,
    delay: number,
    options: CallOptions,
  ) => Promise<void>
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
  readonly #outbox: Outbox<RowMessage>
  readonly #catalogue: IndexCatalogue<EntityIndex>

  /** @internal */
  constructor(
    model: EntityModel<Entity, Input, Key>,
    indexes: readonly EntityIndex[],
    outbox: Outbox<RowMessage>,
    catalogue: IndexCatalogue<EntityIndex>,
  ) {
    this.#model = model
    this.#indexes = indexes
    this.#outbox = outbox
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
        comparison: (table, owner) =>
          pageComparison(model, table, (call) => this.#pendingIn(owner, table.name, call)),
        refresh: (owner, partition, call) => this.deliver(owner, partition, call),
      },
      account,
      options,
    )
  }

  /** Tells whether the outbox has a message about a row. */
  #pendingIn(account: Account, table: string, options: CallOptions) {
    return async (row: EntityKey): Promise<boolean> => {
      const place = { table, partitionKey: row.partitionKey }
      const messages = await this.#outbox.pending(account, place, options)
      return messages.some((message) => isSameKey(message.row, row))
    }
  }

  /**
   * Lets the indexes follow the writes of a partition. The handler of the announced jobs calls it.
   *
   * @param account - the account of the table
   * @param partition - what was announced
   * @returns how many writes were followed
   */
  async deliver(
    account: Account,
    partition: OutboxPartition,
    options: ManyWritesOptions = {},
  ): Promise<number> {
    this.#check('deliver', account, partition, options)
    return account.service.pendingCalls.runSeries(options, async (call) => {
      const follow = await this.#follower(account, partition.table, call)
      return this.#outbox.deliver(account, partition, follow, call)
    })
  }

  /**
   * Lets the indexes follow all writes of a table that wait. It reads the whole table, so use it after an accident
   * only: when announcements were lost.
   *
   * @returns how many writes were followed
   */
  async sweep(account: Account, table: string, options: ManyWritesOptions = {}): Promise<number> {
    this.#check('sweep', account, { table }, options)
    return account.service.pendingCalls.runSeries(options, async (call) => {
      const follow = await this.#follower(account, table, call)
      return this.#outbox.sweep(account, table, follow, call)
    })
  }

  /**
   * Returns what follows a message.
   *
   * @throws InputError (`IndexDeclarationDiffers`) when another program keeps the indexes: its workers follow the message
   */
  async #follower(account: Account, name: string, options: CallOptions) {
    const table = { service: account.service, name }
    const states = await this.#catalogue.kept(table, options)
    const followed = this.#indexes.filter((index) => states.get(index) !== 'disabled')
    return (message: RowMessage, call: CallOptions) => followRow(followed, table, message, call)
  }

  #check(
    method: string,
    account: Account,
    target: { readonly table: string },
    options: ManyWritesOptions,
  ): void {
    const place = `${method} of the indexes of ${this.#model.title}`
    checkAccount(account, place)
    checkEntity(target, `The partition of ${place}`)
    checkName(target.table, `table of ${place}`)
    manyWritesOptions.check(options, place)
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
 * // in the handlers of the job queue: { index: async (partition, { options }) => void (await byEmail.deliver(account, partition, options)) }
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
  keepRows(kept, new CatalogueGuard(catalogue), 'declareEventualIndexes')
  const outbox = keepOutbox<RowMessage>(kept, {
    ...outboxOptions,
    beginning,
    rows: rowFilter(kept, others),
    touches: (names) => indexes.some((index) => index.touches(names)),
    messages: (transition) => messagesOf(indexes, transition),
  })
  return new EventualIndexes(model, indexes, outbox, catalogue)
}
