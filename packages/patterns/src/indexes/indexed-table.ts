import {
  type Account,
  type EntityModel,
  entityRows,
  type KeptTable,
  type Table,
  type TableQuery,
} from '@rowkey/mapper'
import type { RawEntity } from '@rowkey/odata'
import type { QueryShape, WhereCondition } from '@rowkey/query'
import { resultsInOrder } from '@rowkey/query'
import { type CallOptions, checkOptions } from '@rowkey/rest'
import { CALL_OPTIONS } from '../errors/check-arguments.ts'
import { patternsInputError } from '../errors/codes.ts'
import { beginningFilter } from '../rows/row-filter.ts'
import { copyModel } from './copy-model.ts'
import { findStored } from './entry-reader.ts'
import type { IndexCatalogue, IndexState } from './index-catalogue.ts'
import { type EntityIndex, OWNER } from './index-entry.ts'
import type { IndexFinding, IndexProgress } from './index-finding.ts'
import { scrubEntry, scrubRow } from './scrub-row.ts'
import { type ScrubStage, scrubTable } from './scrub-table.ts'

/** The options of {@link Indexes.on}. */
export interface IndexedTableOptions {
  /** The table's name, when it is not the model's. */
  readonly name?: string | undefined
}

/** The options of {@link IndexedTable.verify}, `repair` and `rebuild`. */
export interface ScrubOptions<Name extends string = string> extends CallOptions {
  /**
   * The indexes to compare.
   *
   * @defaultValue all
   */
  readonly indexes?: readonly Name[] | undefined
  /**
   * How many rows are compared at once.
   *
   * @defaultValue 8
   */
  readonly concurrency?: number | undefined
  /** Where to continue, from the `next` of an earlier progress; the whole table when absent. */
  readonly from?: string | undefined
  /** Receives each difference as it is found. */
  readonly onFinding?: ((finding: IndexFinding) => void) | undefined
  /** Receives the progress after each page. */
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined
}

/** The parts of an {@link IndexedTable}. */
export interface IndexedTableParts<
  Entity extends object,
  Input extends object,
  Key extends object,
> {
  readonly model: EntityModel<Entity, Input, Key>
  readonly indexes: ReadonlyMap<string, EntityIndex>
  readonly catalogue: IndexCatalogue
}

const SCRUB_OPTIONS = [...CALL_OPTIONS, 'indexes', 'concurrency', 'from', 'onFinding', 'onProgress']
/** How often an entry and its row are read, when a write moves the value between the two reads. */
const MAX_READS = 3

/** The indexes of one table, from {@link Indexes.on}. */
export class IndexedTable<
  Entity extends object,
  Input extends object,
  Key extends object,
  Name extends string,
> {
  readonly #parts: IndexedTableParts<Entity, Input, Key>
  readonly #account: Account
  readonly #rows: Table<Entity, Input, Key>
  readonly #table: KeptTable

  /** @internal */
  constructor(
    parts: IndexedTableParts<Entity, Input, Key>,
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
   * Reads the entity with a value of a unique index, if there is one. It costs two point reads: the entry, then
   * the entity.
   *
   * @param index - the name of a unique index
   * @param values - the properties of PartitionKey and of the index
   * @returns `undefined` when no entity of the partition has the value
   * @throws InputError (`IndexNotReadable`) before the index is built
   */
  async find(index: Name, values: object, options: CallOptions = {}): Promise<Entity | undefined> {
    checkOptions(options, CALL_OPTIONS, `find by index ${index}`)
    const used = await this.#readable(index, options)
    if (!used.isUnique) throw notUnique(used)
    const partitionKey = this.#parts.model.partitionKey.print(values)
    const rowKey = used.definition.rowKey.print(values)
    for (let read = 1; read <= MAX_READS; read++) {
      const stored = await findStored(this.#table, { partitionKey, rowKey }, options)
      const owner = stored && used.ownerOf(stored.raw)
      if (owner === undefined) return undefined
      const entity = await this.#rows.find([partitionKey, owner], options)
      if (entity !== undefined && hasKey(used, entity, rowKey)) return entity
    }
    return undefined
  }

  /**
   * Reads the entities that match a condition on an index, in the order of the index: one request for each page
   * of entries, and a point read for each entity, several at once.
   *
   * @param index - the name of the index
   * @param where - a condition on the properties of PartitionKey, of the index and of its projection
   * @param options - also `concurrency`, how many point reads may be pending at once
   * @throws InputError (`IndexNotReadable`) before the index is built, and (`TableScan`) when the condition does
   * not name a partition
   *
   * @example
   * ```ts
   * for await (const employee of indexed.query('lastName', { department: 'Sales', lastName: 'Jones' })) {
   *   console.log(employee.firstName)
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
        partitionKey,
        rowKey,
        owner: properties.get(OWNER)?.value,
      }))
    for await (const { items } of entries.byPage(call)) {
      const read = async (
        { partitionKey, rowKey, owner }: (typeof items)[number],
        signal: AbortSignal,
      ) => {
        const entity = await this.#rows.find([partitionKey, String(owner)], { ...call, signal })
        return entity !== undefined && hasKey(used, entity, rowKey) ? entity : undefined
      }
      for await (const entity of resultsInOrder(items, read, {
        concurrency,
        signal: call.signal,
      })) {
        if (entity !== undefined) yield entity
      }
    }
  }

  /**
   * Queries the copies that the entries hold, without reading the entities: one request for each page. A copy
   * has the properties of PartitionKey, of the index and of its projection, and the others are `undefined`. It
   * has no ETag, and it is read-only: read the entity to change it.
   *
   * @param index - the name of the index
   * @throws InputError (`IndexNotReadable`) before the index is built
   */
  async copies(index: Name, options: CallOptions = {}): Promise<TableQuery<Partial<Entity>>> {
    return this.#entries(await this.#readable(index, options))
  }

  /** Reads the state of an index, as it is stored now. */
  async state(index: Name, options: CallOptions = {}): Promise<IndexState> {
    return this.#parts.catalogue.read(this.#table, this.#named(index).name, options)
  }

  /**
   * Changes the state of an index, and waits for two leases, until every program sees it. Before a program
   * that no longer declares an index is deployed, disable the index. {@link IndexedTable.rebuild} makes it
   * readable again.
   *
   * @param index - the name of the index
   * @param state - the new state; only a rebuild can make an index readable
   */
  async setState(
    index: Name,
    state: 'disabled' | 'deleteOnly' | 'writeOnly',
    options: CallOptions = {},
  ): Promise<void> {
    const { catalogue } = this.#parts
    await catalogue.change(this.#table, this.#named(index).name, state, options)
    await this.#table.service.sleep(2 * catalogue.lease, options.signal)
  }

  /**
   * Compares all rows with their entries and all entries with their rows, and changes nothing. It reads the
   * whole table, each entry once and each row once more.
   *
   * @returns the progress at the end
   */
  async verify(options: ScrubOptions<Name> = {}): Promise<IndexProgress> {
    return this.#scrub(options, false, 'verify')
  }

  /**
   * Works as {@link IndexedTable.verify}, and repairs the findings. A row whose entry is stored
   * gets a new
   * ETag. Writers may go on meanwhile.
   */
  async repair(options: ScrubOptions<Name> = {}): Promise<IndexProgress> {
    return this.#scrub(options, true, 'repair')
  }

  /**
   * Builds indexes of a table that has rows, and makes them readable. Writers may go on meanwhile, as long as
   * every program that writes the table declares the index. Run again after a failure, or several times at
   * once, it ends the same; with `from` it continues.
   *
   * An index with values that several entities share becomes `uniquenessPending`: `onFinding` receives them as
   * duplicates. Change one of each two entities, and rebuild. An index keeps its state when a row is `unreadable`:
   * mend or delete the row, and rebuild.
   */
  async rebuild(options: ScrubOptions<Name> = {}): Promise<IndexProgress> {
    const duplicates = new Set<string>()
    const unreadable = new Set<string>()
    const { onFinding, ...rest } = options
    const opened = await this.#open(options)
    const watching = (finding: IndexFinding) => {
      if (finding.kind === 'duplicate') duplicates.add(finding.index)
      if (finding.kind === 'unreadable') unreadable.add(finding.index)
      onFinding?.(finding)
    }
    const progress = await this.#scrub({ ...rest, onFinding: watching }, true, 'rebuild')
    for (const [name, generation] of opened) {
      if (unreadable.has(name)) continue
      const state = duplicates.has(name) ? 'uniquenessPending' : 'readable'
      const end = { state, generation } as const
      await this.#parts.catalogue.finish(this.#table, name, end, callOf(options))
    }
    return progress
  }

  /**
   * Lets every program write entries before rows are compared, and returns the generation of each
   * index.
   */
  async #open(options: ScrubOptions<Name>): Promise<ReadonlyMap<string, number>> {
    const { catalogue } = this.#parts
    const call = callOf(options)
    const generations = new Map<string, number>()
    const { service } = this.#table
    let openAt = 0
    for (const { name } of this.#chosen(options)) {
      let row = await catalogue.readRow(this.#table, name, call)
      if (row.state === 'disabled' || row.state === 'deleteOnly') {
        await catalogue.change(this.#table, name, 'writeOnly', call)
        row = await catalogue.readRow(this.#table, name, call)
      }
      generations.set(name, row.generation)
      // Another builder may have opened it a moment ago.
      openAt = Math.max(openAt, row.changedAt + 2 * catalogue.lease)
    }
    const wait = openAt - service.now()
    if (wait > 0) await service.sleep(wait, call.signal)
    return generations
  }

  async #scrub(
    options: ScrubOptions<Name>,
    repair: boolean,
    method: string,
  ): Promise<IndexProgress> {
    checkOptions(options, SCRUB_OPTIONS, `${method} of the indexes of table ${this.#table.name}`)
    const { concurrency = 8, from, onFinding = ignore, onProgress = ignore } = options
    const model = this.#parts.model as EntityModel<object>
    const indexes = this.#chosen(options)
    const scrub = { table: this.#table, indexes, repair, options: callOf(options) }
    const rows: ScrubStage = {
      name: '',
      table: this.#table,
      filter: entityRows(model),
      scrub: (row) => scrubRow(scrub, row),
    }
    const entries = indexes.map((index) => ({
      name: index.name,
      table: this.#table,
      filter: beginningFilter(index.beginning),
      scrub: (entry: RawEntity) => scrubEntry(scrub, index, entry),
    }))
    return scrubTable({
      stages: [rows, ...entries],
      options: callOf(options),
      concurrency,
      from,
      onFinding,
      onProgress,
    })
  }

  #entries(index: EntityIndex): TableQuery<Partial<Entity>> {
    return this.#account
      .table(copyModel(index, index.model.partitionKey), this.#table.name)
      .query() as TableQuery<Partial<Entity>>
  }

  #chosen({ indexes }: ScrubOptions<Name>): readonly EntityIndex[] {
    if (indexes === undefined) return [...this.#parts.indexes.values()]
    return indexes.map((name) => this.#named(name))
  }

  async #readable(name: Name, options: CallOptions): Promise<EntityIndex> {
    const index = this.#named(name)
    const state = await this.#parts.catalogue.state(this.#table, name, options)
    if (state === 'readable') return index
    throw patternsInputError({
      code: 'IndexNotReadable',
      message: `Index ${name} of table ${this.#table.name} is ${state}: its entries may be incomplete. Run rebuild once, when every program that writes the table declares the index.`,
    })
  }

  #named(name: string): EntityIndex {
    const index = this.#parts.indexes.get(name)
    if (index !== undefined) return index
    throw patternsInputError({
      code: 'InvalidPatternOption',
      message: `${this.#parts.model.title} has no index ${JSON.stringify(name)}. It has: ${[...this.#parts.indexes.keys()].join(', ')}.`,
    })
  }
}

function callOf({ signal, timeout, retry, context, deadline }: CallOptions): CallOptions {
  return { signal, timeout, retry, context, deadline }
}

function ignore(): void {
  // The caller does not want to know.
}

function hasKey(
  { definition: { rowKey: template } }: EntityIndex,
  entity: object,
  rowKey: string,
): boolean {
  const members = entity as Readonly<Record<string, unknown>> // every object has members
  const isWhole = template.properties.every(
    (each) => members[each] !== undefined && members[each] !== null,
  )
  return isWhole && template.print(entity) === rowKey
}

function notUnique(index: EntityIndex): Error {
  return patternsInputError({
    code: 'InvalidPatternOption',
    message: `find reads one entity, and index ${index.name} of ${index.model.title} is not unique. Use query.`,
  })
}
