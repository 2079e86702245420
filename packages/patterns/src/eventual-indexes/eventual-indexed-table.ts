import {
  type Account,
  type EntityModel,
  entityRows,
  type KeptTable,
  type Table,
  type TableQuery,
} from '@rowkey/mapper'
import type { EntityKey, RawEntity } from '@rowkey/odata'
import { type QueryShape, resultsInOrder, type WhereCondition } from '@rowkey/query'
import { type CallOptions, checkOptions } from '@rowkey/rest'
import { CALL_OPTIONS } from '../errors/check-arguments.ts'
import { patternsInputError } from '../errors/codes.ts'
import { copyModel } from '../indexes/copy-model.ts'
import type { IndexCatalogue, IndexState } from '../indexes/index-catalogue.ts'
import type { IndexFinding, IndexProgress } from '../indexes/index-finding.ts'
import type { IndexedTableOptions, ScrubOptions } from '../indexes/indexed-table.ts'
import { type ScrubStage, scrubTable } from '../indexes/scrub-table.ts'
import type { Outbox } from '../outbox/declare-outbox.ts'
import { beginningFilter } from '../rows/row-filter.ts'
import { type EventualIndex, isSameKey } from './eventual-entry.ts'
import { followRow, type RowMessage } from './follow-row.ts'
import { type FollowedScrub, scrubFollowedEntry, scrubFollowedRow } from './scrub-followed.ts'

/** What an {@link EventualIndexedTable} is made from. */
export interface EventualIndexedTableParts<
  Entity extends object,
  Input extends object,
  Key extends object,
> {
  readonly model: EntityModel<Entity, Input, Key>
  readonly indexes: readonly EventualIndex[]
  readonly outbox: Outbox<RowMessage>
  readonly catalogue: IndexCatalogue
}

const SCRUB_OPTIONS = [...CALL_OPTIONS, 'indexes', 'concurrency', 'from', 'onFinding', 'onProgress']

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

  /** @internal */
  constructor(
    parts: EventualIndexedTableParts<Entity, Input, Key>,
    account: Account,
    options: IndexedTableOptions,
  ) {
    checkOptions(options, ['name'], `the indexes of ${parts.model.title}`)
    this.#parts = parts
    this.#account = account
    this.#rows = account.table(parts.model, options)
    this.#table = { service: account.service, name: this.#rows.name }
  }

  /**
   * Reads the entities that match a condition on an index, in the order of its entries: one request for each page
   * of entries, and a point read for each entity. Each entity is as it is stored now. An entity that a write put
   * into the index a moment ago may be missing: {@link EventualIndexedTable.catchUp}.
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
  async *query(
    index: Name,
    where: WhereCondition<QueryShape<Entity>>,
    options: CallOptions & { readonly concurrency?: number | undefined } = {},
  ): AsyncGenerator<Entity, void, undefined> {
    checkOptions(options, [...CALL_OPTIONS, 'concurrency'], `query by index ${index}`)
    const { concurrency, ...call } = options
    const used = await this.#readable(index, call)
    const entries = this.#entries(used)
      .where(where as never) // the columns of the index are a part of the entity's
      .resolve((partitionKey, rowKey, _, properties) => ({
        key: { partitionKey, rowKey },
        row: used.rowOf(
          Object.fromEntries([...properties].map(([name, { value }]) => [name, value])),
        ),
      }))
    for await (const { items } of entries.byPage(call)) {
      const read = async ({ key, row }: (typeof items)[number], signal: AbortSignal) =>
        row && this.#findOwner(used, key, row, { ...call, signal })
      const found = resultsInOrder(items, read, { concurrency, signal: call.signal })
      for await (const entity of found) if (entity !== undefined) yield entity
    }
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
    return this.#entries(await this.#readable(index, options))
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
    const partitionKey = this.#parts.model.partitionKey.print(values)
    const partition = { table: this.#table.name, partitionKey, last: true }
    const follow = (message: RowMessage) =>
      followRow(this.#parts.indexes, this.#table, message, options)
    return this.#parts.outbox.deliver(this.#account, partition, follow, options)
  }

  /** Reads the state of an index, as it is stored now: `writeOnly` before it is built, then `readable`. */
  async state(index: Name, options: CallOptions = {}): Promise<IndexState> {
    return this.#parts.catalogue.read(this.#table, stateName(this.#named(index)), options)
  }

  /**
   * Compares all rows with their entries and all entries with their rows, and changes nothing. What the workers
   * still have to do is not a difference.
   */
  async verify(options: ScrubOptions<Name> = {}): Promise<IndexProgress> {
    return this.#scrub(options, false, 'verify')
  }

  /** Works as {@link EventualIndexedTable.verify}, and repairs what it finds. Writers may go on meanwhile. */
  async repair(options: ScrubOptions<Name> = {}): Promise<IndexProgress> {
    return this.#scrub(options, true, 'repair')
  }

  /**
   * Builds indexes of a table that has rows, and makes them readable. Writers may go on meanwhile, as long as every
   * program that writes the table declares the index. Run again after a failure, or several times at once, it ends
   * the same; with `from` it continues. An index keeps its state when a row is `unreadable`: mend or delete the row, and
   * rebuild.
   */
  async rebuild(options: ScrubOptions<Name> = {}): Promise<IndexProgress> {
    const { catalogue } = this.#parts
    const { onFinding, ...rest } = options
    const unreadable = new Set<string>()
    const watching = (finding: IndexFinding) => {
      if (finding.kind === 'unreadable') unreadable.add(finding.index)
      onFinding?.(finding)
    }
    const progress = await this.#scrub({ ...rest, onFinding: watching }, true, 'rebuild')
    for (const index of this.#chosen(options)) {
      if (unreadable.has(index.name)) continue
      const end = { state: 'readable', generation: 0 } as const
      await catalogue.finish(this.#table, stateName(index), end, callOf(options))
    }
    return progress
  }

  async #scrub(
    options: ScrubOptions<Name>,
    repair: boolean,
    method: string,
  ): Promise<IndexProgress> {
    checkOptions(options, SCRUB_OPTIONS, `${method} of the indexes of table ${this.#table.name}`)
    const { concurrency = 8, from, onFinding = ignore, onProgress = ignore } = options
    const scrub: FollowedScrub = {
      table: this.#table,
      indexes: this.#chosen(options),
      repair,
      options: callOf(options),
      isPending: (row) => this.#isPending(row, callOf(options)),
    }
    return scrubTable({
      stages: this.#stages(scrub),
      options: callOf(options),
      concurrency,
      from,
      onFinding,
      onProgress,
    })
  }

  #stages(scrub: FollowedScrub): readonly ScrubStage[] {
    const { model } = this.#parts
    const rows: ScrubStage = {
      name: '',
      table: this.#table,
      filter: entityRows(model as EntityModel<object>),
      scrub: (row) => scrubFollowedRow(scrub, row),
    }
    const entries = scrub.indexes.map((index) => ({
      name: index.name,
      table: index.tableFor(this.#table),
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

  #chosen({ indexes }: ScrubOptions<Name>): readonly EventualIndex[] {
    return indexes === undefined ? this.#parts.indexes : indexes.map((name) => this.#named(name))
  }

  async #readable(name: Name, options: CallOptions): Promise<EventualIndex> {
    const index = this.#named(name)
    const state = await this.#parts.catalogue.state(this.#table, stateName(index), options)
    if (state === 'readable') return index
    throw patternsInputError({
      code: 'IndexNotReadable',
      message: `Index ${name} of table ${this.#table.name} is ${state}: its entries may be incomplete. Run rebuild once, when every program that writes the table declares the index.`,
    })
  }

  #named(name: string): EventualIndex {
    const { indexes, model } = this.#parts
    const index = indexes.find((each) => each.name === name)
    if (index !== undefined) return index
    throw patternsInputError({
      code: 'InvalidPatternOption',
      message: `${model.title} has no index ${JSON.stringify(name)}. It has: ${indexes.map((each) => each.name).join(', ')}.`,
    })
  }
}

/** An index of the same name in the partitions of the entities has a state of its own. */
function stateName({ name }: EventualIndex): string {
  return `eventual.${name}`
}

function callOf({ signal, timeout, retry, context, deadline }: CallOptions): CallOptions {
  return { signal, timeout, retry, context, deadline }
}

function ignore(): void {
  // The caller does not want to know.
}
