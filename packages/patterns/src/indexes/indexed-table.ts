import { type EntityModel, normalValues, type Table, type TableQuery } from '@rowkey/mapper'
import type { EntityKey } from '@rowkey/odata'
import type { QueryShape, WhereCondition } from '@rowkey/query'
import { type CallOptions, callOptions } from '@rowkey/rest'
import type { Catalogue, DerivedState } from '../derived/catalogue.ts'
import type { Comparison, DerivedProgress } from '../derived/compare.ts'
import { Upkeep } from '../derived/upkeep.ts'
import type { BuildOptions, ScrubOptions } from '../derived/upkeep-options.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { anEntity } from '../errors/rules.ts'
import { queryByEntries } from '../lookup/entry-query.ts'
import {
  atPrimary,
  type ManyWritesOptions,
  manyWritesOptions,
  optionsOfEachRequest,
} from '../options/pattern-options.ts'
import type { ModelTable } from '../rows/model-table.ts'
import { findStored, isSameKey } from '../rows/stored-row.ts'
import { copyModel, entryModel } from './copy-model.ts'
import { entriesOnly, entryReader } from './entry-reader.ts'
import type { FarEntries } from './far-entries.ts'
import type { IndexValues, UniqueName } from './index-definition.ts'
import type { EntityIndex } from './index-entry.ts'
import { verifiedOf } from './index-path.ts'

/** The parts of an {@link IndexedTable}. */
interface IndexedTableParts<Entity extends object, Input extends object, Key extends object> {
  readonly model: EntityModel<Entity, Input, Key>
  readonly indexes: ReadonlyMap<string, EntityIndex>
  readonly catalogue: Catalogue
  readonly comparison: Comparison<EntityIndex>
  /** The entries in other partitions. */
  readonly far: FarEntries
}

/** How often an entry and its row are read, when a write moves the value between the two reads. */
const MAX_READS = 3

/** The indexes of one table, from {@link declareIndexes}. */
export class IndexedTable<
  Entity extends object,
  Input extends object,
  Key extends object,
  Definitions extends object,
  Name extends keyof Definitions & string = keyof Definitions & string,
  Partition extends object = Partial<Key>,
> {
  readonly #parts: IndexedTableParts<Entity, Input, Key>
  readonly #rows: Table<Entity, Input, Key>
  readonly #table: ModelTable
  readonly #upkeep: Upkeep<EntityIndex>

  /** @internal */
  constructor(
    parts: IndexedTableParts<Entity, Input, Key>,
    table: ModelTable,
    rows: Table<Entity, Input, Key> = table.account.table(parts.model, table.name),
  ) {
    this.#parts = parts
    this.#table = table
    this.#rows = rows
    const { indexes, catalogue, comparison } = parts
    const definitions = new Map(Array.from(indexes, ([name, index]) => [name, index.in(table)]))
    const own = { title: 'indexes', kind: 'ix', definitions, catalogue, comparison, table } as const
    this.#upkeep = new Upkeep(own)
  }

  /** The names of the indexes. */
  get names(): readonly Name[] {
    return this.#upkeep.names as readonly Name[] // those of the definitions
  }

  /**
   * Reads the entity with a value of a unique index, if there is one. It costs two point reads: the entry, then
   * the entity.
   *
   * @param index - the name of a unique index
   * @param values - the properties of PartitionKey and of the index
   * @returns `undefined` when no entity of the partition has the value
   * @throws InputError (`NotReadable`) before the index is built
   */
  async find<Unique extends UniqueName<Definitions>>(
    index: Unique,
    values: IndexValues<Entity, Definitions[Unique], Partition>,
    options: CallOptions = {},
  ): Promise<Entity | undefined> {
    const used = this.#upkeep.named(index)
    const place = `find by index ${used.name}`
    checkArgument(anEntity, values, place)
    if (!used.isUnique) throw notUnique(used)
    const normal = normalValues(used.model, values)
    const partitionKey = this.#parts.model.partitionKey.print(normal)
    const rowKey = used.rowKey.print(normal)
    const { service } = this.#table
    return service.call(options, place, async ({ options: call }) => {
      await this.#upkeep.readable(index, call)
      return this.#findOwner(used, { partitionKey, rowKey }, call)
    })
  }

  async #findOwner(
    index: EntityIndex,
    key: EntityKey,
    options: CallOptions,
  ): Promise<Entity | undefined> {
    for (let read = 1; read <= MAX_READS; read++) {
      const stored = await findStored(this.#table, key, options)
      const row = stored && index.rowOf(stored)
      if (row === undefined) return undefined
      const entity = await this.#rows.find(row, atPrimary(options))
      if (entity !== undefined && hasKey(index, entity, key)) return entity
    }
    return undefined
  }

  /**
   * Queries the entities in the order of an index. It is a query as any other, with `where`, `select`, `take`, `page`, `count` and tokens.
   * Conditions on the properties of the index bound what is read: one request for up to 100 entries, and one read by key for each, 8
   * at once. The other conditions are compared with each entity. The first entity costs two requests.
   *
   * On Cosmos DB, which does not sort rows, all entries within the bounds are read for each page.
   *
   * An entity that a write put into an index with a `partitionKey` a moment ago may be missing: {@link IndexedTable.refresh}.
   *
   * @param index - the name of the index
   * @param where - a condition; more can follow with `.where`. It must name one partition of the entries, or the query needs
   * `.allowTableScan()`
   * @throws InputError (`NotReadable`) when it runs before the index is built
   *
   * @example
   * ```ts
   * const joneses = indexed.query('lastName', { department: 'Sales', lastName: 'Jones' })
   * const { items, next } = await joneses.where({ age: gt(30) }).page({ size: 20 })
   * ```
   */
  query(index: Name, where?: WhereCondition<QueryShape<Entity>>): TableQuery<Entity> {
    const used = this.#upkeep.named(index)
    const read = entryReader(used, this.#table)
    const query = queryByEntries(this.#rows, this.#table, {
      model: entryModel(used),
      // A row that is over has its entry until a sweep deletes both.
      isExact: !used.isEventual && used.model.lifetime === undefined,
      find: async (filter, top, options) => {
        await this.#upkeep.readable(index, optionsOfEachRequest(options))
        return read(filter, top, options)
      },
      explain: (plan) => {
        const cost = `Reads by the index ${index}: one request for up to 100 entries, and one read by key for each.`
        const known = verifiedOf(this.#parts.catalogue.lastKnown(this.#table)?.[used.id])
        return { ...plan, index, reasons: [cost, known, ...plan.reasons] }
      },
    })
    return where === undefined ? query : query.where(where as never) // the conditions of the same properties
  }

  /**
   * Queries the copies that the entries hold, without reading the entities: one request for each page. A copy
   * has the properties of the keys of the index and of its projection, and the others are `undefined`. It
   * has no ETag, and it is read-only: read the entity to change it. A copy in another partition may be older than its entity.
   *
   * @param index - the name of the index
   * @throws InputError (`NotReadable`) before the index is built
   * @throws InputError (`InvalidPatternOption`) when the model has a lifetime, and the projection lacks the properties that tell which
   * rows are over
   */
  async copies(index: Name, options: CallOptions = {}): Promise<TableQuery<Partial<Entity>>> {
    checkLifetime(this.#upkeep.named(index))
    callOptions.check(options, `copies of index ${index}`)
    const used = await this.#upkeep.readable(index, options)
    const { name } = used.tableFor(this.#table)
    const copies = this.#table.account.table(copyModel(used), name).query()
    return copies.where(entriesOnly(used)) as TableQuery<Partial<Entity>>
  }

  /**
   * Writes the entries in other partitions that follow from the ended writes of one partition: for a reader that must find its
   * own write. It works in place of the worker, so it costs one request when the worker was faster. Other indexes are always in step.
   *
   * @param values - the properties of the PartitionKey of the entities, such as an entity that was written
   * @returns how many writes were followed
   * @throws InputError (`UndeclaredDefinition`) when a definition of other programs is readable that this one does not declare
   * @throws the first other error, when it cannot follow one of them; it follows the others
   *
   * @example
   * ```ts
   * await employees.insert(jones)
   * await indexed.refresh(jones)
   * ```
   */
  async refresh(values: Partition, options: ManyWritesOptions = {}): Promise<number> {
    const place = `refresh of the indexes of table ${this.#table.name}`
    checkArgument(anEntity, values, place)
    manyWritesOptions.check(options, place)
    const { model, far } = this.#parts
    const partitionKey = model.partitionKey.print(normalValues(model, values))
    return far.refresh(this.#table, partitionKey, options)
  }

  /**
   * Writes the entries in other partitions that follow from all ended writes of the table. It reads the whole table, so use it after an
   * accident only: when jobs of the worker were lost.
   *
   * @returns how many writes were followed
   * @throws InputError (`UndeclaredDefinition`) when a definition of other programs is readable that this one does not declare
   * @throws the first other error, when it cannot follow one of them; it follows the others
   */
  async drain(options: ManyWritesOptions = {}): Promise<number> {
    manyWritesOptions.check(options, `drain of the indexes of table ${this.#table.name}`)
    return this.#parts.far.drain(this.#table, options)
  }

  /**
   * Reads the state of an index, as it is stored now: what a program asks when it starts. It costs one request. In a table without rows, in
   * which nothing is declared yet, the indexes are readable.
   */
  async state(index: Name, options: CallOptions = {}): Promise<DerivedState> {
    return this.#upkeep.state(index, options)
  }

  /**
   * Builds the indexes that are not readable: a step of a deployment, when every program that writes the table declares them. Writers may go
   * on meanwhile.
   *
   * It compares all rows with their entries, and repairs what it finds. Two leases after the last row it looks at all of them again: a row
   * without its entry shows that a program without the declaration still writes. Then the index stays `building`, and the error
   * names the rows. From the first look on, programs that declare something for the model, and not this index, cannot write.
   *
   * Of several programs at once one builds, and the others wait. Another one goes on where a builder ended that died.
   *
   * @returns what this program compared
   * @throws InputError (`BuildIncomplete`) when an index is not readable: rows without entries, a value that several entities share, or unreadable rows
   *
   * @example
   * ```ts
   * await indexes.on(account).build({ onFinding: console.warn })
   * ```
   */
  async build(options: BuildOptions<Name> = {}): Promise<DerivedProgress> {
    return this.#upkeep.build(options)
  }

  /**
   * Compares all rows with their entries and all entries with their rows, and changes no row. One scan reads both: a request for each
   * 1,000 rows and entries. Each difference is read again before it counts. Of indexes with a `partitionKey` the entries are read, and all
   * rows once for each 200,000 entries; the pending work of workers is not a difference.
   *
   * When it finds nothing, the catalogue records the time for {@link TableQuery.explain}.
   *
   * @returns the progress at the end, with the first 100 findings
   */
  async verify(options: ScrubOptions<Name> = {}): Promise<DerivedProgress> {
    return this.#upkeep.scrub(options, 'verify')
  }

  /**
   * Works as {@link IndexedTable.verify}, and repairs the findings, in transactions of up to 100 operations. A row whose entry is stored
   * gets a new ETag. Writers may go on meanwhile. After a lost response, what it repaired may be missing from the findings.
   */
  async repair(options: ScrubOptions<Name> = {}): Promise<DerivedProgress> {
    return this.#upkeep.scrub(options, 'repair')
  }

  /**
   * Drops an index and deletes its entries. Readers stop first, within two leases; then writers, within two more; then the
   * entries are deleted in transactions. Programs that declare it may go on meanwhile. Call it again when it was stopped.
   *
   * The index stays dropped until {@link IndexedTable.build} names it.
   *
   * @param index - the name of the index, also of one that the program no longer declares. With a fingerprint, as in `email.1a2b3c4d`, it
   * means one declaration of that name
   */
  async drop(index: string, options: ManyWritesOptions = {}): Promise<void> {
    return this.#upkeep.drop(index, options)
  }
}

function hasKey(index: EntityIndex, entity: object, key: EntityKey): boolean {
  const members = entity as Readonly<Record<string, unknown>> // every object has members
  const isWhole = index.properties.every((each) => (members[each] ?? undefined) !== undefined)
  if (!isWhole) return false
  const partitionKey = index.partitionKey.print(entity)
  return isSameKey({ partitionKey, rowKey: index.rowKey.print(entity) }, key)
}

/** Rejects an index whose entries do not tell which rows are over: their copies would be shown. */
function checkLifetime({ name, model, definition: { project = [] } }: EntityIndex): void {
  const names = model.lifetime?.names ?? []
  const projected: readonly string[] = project
  const needed = model.columns.filter((each) => names.includes(each.name))
  const missing = needed.flatMap(({ property }) => (projected.includes(property) ? [] : [property]))
  if (missing.length === 0) return
  throw invalidPatternOption(
    `copies of index ${name} of ${model.title} would show rows that have expired or are deleted. Add ${missing.join(' and ')} to its project, or use query.`,
  )
}

function notUnique(index: EntityIndex): Error {
  return invalidPatternOption(
    `find reads one entity, and index ${index.name} of ${index.model.title} is not unique. Use query.`,
  )
}
