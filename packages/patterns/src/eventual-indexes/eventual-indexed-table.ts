import {
  type Account,
  type EntityModel,
  entityRows,
  type KeptTable,
  type Table,
  type TableQuery,
} from '@rowkey/mapper'
import type { EntityKey, RawEntity } from '@rowkey/odata'
import type { QueryShape, WhereCondition } from '@rowkey/query'
import { type CallOptions, checkOptions } from '@rowkey/rest'
import type { IndexCatalogue, IndexState } from '../catalogue/index-catalogue.ts'
import { CALL_OPTIONS, checkEntity } from '../errors/check-arguments.ts'
import { copyModel } from '../indexes/copy-model.ts'
import type { IndexedTableOptions } from '../indexes/indexed-table.ts'
import type { Outbox } from '../outbox/declare-outbox.ts'
import { modelTable } from '../rows/model-table.ts'
import { beginningFilter } from '../rows/row-filter.ts'
import type { IndexProgress } from '../upkeep/index-finding.ts'
import { IndexUpkeep, type Scrub } from '../upkeep/index-upkeep.ts'
import type { IndexBuild } from '../upkeep/join-build.ts'
import type { ScrubStage } from '../upkeep/scrub-table.ts'
import type { RebuildOptions, ScrubOptions } from '../upkeep/upkeep-options.ts'
import { type EventualIndex, isSameKey } from './eventual-entry.ts'
import { followRow, type RowMessage } from './follow-row.ts'
import { type FollowedScrub, scrubFollowedEntry, scrubFollowedRow } from './scrub-followed.ts'

/** The parts of an {@link EventualIndexedTable}. */
interface EventualIndexedTableParts<
  Entity extends object,
  Input extends object,
  Key extends object,
> {
  readonly model: EntityModel<Entity, Input, Key>
  readonly indexes: readonly EventualIndex[]
  readonly outbox: Outbox<RowMessage>
  readonly catalogue: IndexCatalogue
}

/** The eventual indexes of one table, from {@link EventualIndexes.on}. */
export class EventualIndexedTable<
  Entity extends object,
  Input extends object,
  Key extends object,
  Name extends string,
> {
  readonly #parts: EventualIndexedTableParts<Entity, Input, Key>
  readonly #account: Account
  readonly #rows: Table<Entity, Input, Key>
  readonly #table: KeptTable
  readonly #upkeep: IndexUpkeep<EventualIndex>

  /** @internal */
  constructor(
    parts: EventualIndexedTableParts<Entity, Input, Key>,
    account: Account,
    options: IndexedTableOptions,
  ) {
    const { name } = modelTable(
      parts.model,
      account,
      options,
      `the indexes of ${parts.model.title}`,
    )
    this.#parts = parts
    this.#account = account
    this.#rows = account.table(parts.model, { name })
    this.#table = { service: account.service, name }
    const { model, indexes, catalogue } = parts
    this.#upkeep = new IndexUpkeep({
      title: model.title,
      table: this.#table,
      indexes: new Map(indexes.map((index) => [index.name, index])),
      catalogue,
      // An index of the same name in the partitions of the entities has a state of its own.
      family: 'eventual.',
      stages: (scrub) => this.#stages(scrub),
    })
  }

  /**
   * Reads the entities that match a condition on an index, in the order of its entries. It sends one
   * request for each page of entries, and a point read for each entity. Each entity is as it is stored now.
   * An entity that a write put into the index a moment ago may be missing: {@link
   * EventualIndexedTable.catchUp}.
   *
   * @param index - the name of the index
   * @param where - a condition on the properties of the index's keys and of its projection
   * @param options - also `concurrency`, how many point reads may be pending at once
   * @throws InputError (`IndexNotReadable`) before the index is built, and (`TableScan`) when the condition does
   * not name a partition of the index
   *
   * @example
   * ```ts
   * for await (const employee of indexed.query('email', { email: 'jonesj@contoso.com' })) {
   *   console.log(employee.department)
   * }
   * ```
   */
  query(
    index: Name,
    where: WhereCondition<QueryShape<Entity>>,
    options: CallOptions & { readonly concurrency?: number | undefined } = {},
  ): AsyncGenerator<Entity, void, undefined> {
    return this.#upkeep.entities(
      index,
      options,
      (used) =>
        this.#entries(used)
          .where(where as never) // the columns of the index are a part of the entity's
          .resolve((partitionKey, rowKey, _, properties) => ({
            key: { partitionKey, rowKey },
            row: used.rowOf(
              Object.fromEntries([...properties].map(([name, { value }]) => [name, value])),
            ),
          })),
      async (used, { key, row }, call) => row && this.#findOwner(used, key, row, call),
    )
  }

  /** Reads an entity; `undefined` unless the entry is its own now. */
  async #findOwner(
    index: EventualIndex,
    entry: EntityKey,
    row: EntityKey,
    options: CallOptions,
  ): Promise<Entity | undefined> {
    const entity = await this.#rows.find(row, options)
    if (entity === undefined) return undefined
    const { partitionKey, rowKey } = index.definition
    const members = entity as Readonly<Record<string, unknown>> // every object has members
    const isWhole = index.properties.every((each) => (members[each] ?? undefined) !== undefined)
    if (!isWhole) return undefined
    const own = { partitionKey: partitionKey.print(entity), rowKey: rowKey.print(entity) }
    return isSameKey(own, entry) ? entity : undefined
  }

  /**
   * Queries the copies that the entries hold, without reading the entities: one request for each page. A copy may
   * be older than its entity, and it is read-only.
   *
   * @param index - the name of the index
   * @throws InputError (`IndexNotReadable`) before the index is built
   */
  async copies(index: Name, options: CallOptions = {}): Promise<TableQuery<Partial<Entity>>> {
    return this.#entries(await this.#upkeep.readable(index, options))
  }

  /**
   * Brings the indexes in step with all writes of one partition that have ended: for a reader that must find its
   * own write. It does what the workers would do, so it costs nothing when they were faster but one request.
   *
   * @param values - the properties of the PartitionKey of the entities, such as an entity that was written
   * @returns how many writes were followed
   *
   * @example
   * ```ts
   * await employees.insert(jones)
   * await indexed.catchUp(jones)
   * ```
   */
  async catchUp(values: object, options: CallOptions = {}): Promise<number> {
    const place = `catchUp of the indexes of table ${this.#table.name}`
    checkEntity(values, place)
    checkOptions(options, CALL_OPTIONS, place)
    const partitionKey = this.#parts.model.partitionKey.print(values)
    const partition = { table: this.#table.name, partitionKey }
    const follow = (message: RowMessage, call: CallOptions) =>
      followRow(this.#parts.indexes, this.#table, message, call)
    return this.#parts.outbox.deliver(this.#account, partition, follow, options)
  }

  /** Reads the state of an index, as it is stored now: `writeOnly` before it is built, then `readable`. */
  async state(index: Name, options: CallOptions = {}): Promise<IndexState> {
    return this.#upkeep.state(index, options)
  }

  /**
   * Compares all rows with their entries and all entries with their rows, and changes nothing. The pending work of the
   * workers is not a difference.
   */
  async verify(options: ScrubOptions<Name> = {}): Promise<IndexProgress> {
    return this.#upkeep.scrub(options, 'verify')
  }

  /** Works as {@link EventualIndexedTable.verify}, and repairs what it finds. Writers may go on meanwhile. */
  async repair(options: ScrubOptions<Name> = {}): Promise<IndexProgress> {
    return this.#upkeep.scrub(options, 'repair')
  }

  /**
   * Builds indexes of a table that has rows, and makes them readable when all rows are compared. Several processes share the
   * work, and a rebuild that was stopped continues where it ended, as in {@link IndexedTable.rebuild}. An index keeps its
   * state when a row is `unreadable`: mend or delete the row, and rebuild.
   *
   * @returns the work of all builders
   */
  async rebuild(options: RebuildOptions<Name> = {}): Promise<IndexBuild> {
    return this.#upkeep.rebuild(options)
  }

  /** Reads how far the rebuilds of this table are, in this and in other processes: one request for all of them. */
  async builds(options: CallOptions = {}): Promise<readonly IndexBuild[]> {
    return this.#upkeep.builds(options)
  }

  #stages({ indexes, repair, options }: Scrub<EventualIndex>): readonly ScrubStage[] {
    const model = this.#parts.model as EntityModel<object>
    const table = this.#table
    const isPending = (row: EntityKey) => this.#isPending(row, options)
    const scrub: FollowedScrub = { table, indexes, repair, options, isPending }
    const rows: ScrubStage = {
      name: '',
      table,
      filter: entityRows(model),
      scrub: (row) => scrubFollowedRow(scrub, row),
    }
    const entries = indexes.map((index) => ({
      name: index.name,
      table: index.tableFor(table),
      filter: beginningFilter(index.beginning),
      scrub: (entry: RawEntity) => scrubFollowedEntry(scrub, index, entry),
    }))
    return [rows, ...entries]
  }

  async #isPending(row: EntityKey, options: CallOptions): Promise<boolean> {
    const place = { table: this.#table.name, partitionKey: row.partitionKey }
    const messages = await this.#parts.outbox.pending(this.#account, place, options)
    return messages.some((message) => isSameKey(message.row, row))
  }

  #entries(index: EventualIndex): TableQuery<Partial<Entity>> {
    const { name } = index.tableFor(this.#table)
    const model = copyModel(index, index.definition.partitionKey)
    return this.#account.table(model, name).query() as TableQuery<Partial<Entity>>
  }
}
