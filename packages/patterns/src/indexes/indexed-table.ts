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
import { patternsInputError } from '../errors/codes.ts'
import { modelTable } from '../rows/model-table.ts'
import { beginningFilter } from '../rows/row-filter.ts'
import { findStored } from '../rows/stored-row.ts'
import type { IndexProgress } from '../upkeep/index-finding.ts'
import { IndexUpkeep, type Scrub } from '../upkeep/index-upkeep.ts'
import type { IndexBuild } from '../upkeep/join-build.ts'
import type { ScrubStage } from '../upkeep/scrub-table.ts'
import type { RebuildOptions, ScrubOptions } from '../upkeep/upkeep-options.ts'
import { copyModel } from './copy-model.ts'
import { type EntityIndex, OWNER } from './index-entry.ts'
import { scrubEntry, scrubRow } from './scrub-row.ts'

/** The options of {@link Indexes.on}. */
export interface IndexedTableOptions {
  /** The table's name, when it is not the model's. */
  readonly name?: string | undefined
}

/** The parts of an {@link IndexedTable}. */
interface IndexedTableParts<Entity extends object, Input extends object, Key extends object> {
  readonly model: EntityModel<Entity, Input, Key>
  readonly indexes: ReadonlyMap<string, EntityIndex>
  readonly catalogue: IndexCatalogue
}

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
  readonly #upkeep: IndexUpkeep<EntityIndex>

  /** @internal */
  constructor(
    parts: IndexedTableParts<Entity, Input, Key>,
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
    const table = this.#table
    const stages = (scrub: Scrub<EntityIndex>) =>
      stagesOf(model as EntityModel<object>, table, scrub)
    this.#upkeep = new IndexUpkeep({
      title: model.title,
      table,
      indexes,
      catalogue,
      family: '',
      stages,
    })
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
    const used = this.#upkeep.named(index)
    const place = `find by index ${used.name}`
    checkOptions(options, CALL_OPTIONS, place)
    checkEntity(values, place)
    if (!used.isUnique) throw notUnique(used)
    const partitionKey = this.#parts.model.partitionKey.print(values)
    const rowKey = used.definition.rowKey.print(values)
    return this.#table.service.pendingCalls.runSeries(options, async (call) => {
      await this.#upkeep.readable(index, call)
      return this.#findOwner(used, { partitionKey, rowKey }, call)
    })
  }

  async #findOwner(
    index: EntityIndex,
    { partitionKey, rowKey }: EntityKey,
    options: CallOptions,
  ): Promise<Entity | undefined> {
    for (let read = 1; read <= MAX_READS; read++) {
      const stored = await findStored(this.#table, { partitionKey, rowKey }, options)
      const owner = stored && index.ownerOf(stored.raw)
      if (owner === undefined) return undefined
      const entity = await this.#rows.find([partitionKey, owner], options)
      if (entity !== undefined && hasKey(index, entity, rowKey)) return entity
    }
    return undefined
  }

  /**
   * Reads the entities that match a condition on an index, in the order of the index. It sends one request
   * for each page of entries, and a point read for each entity, several at once.
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
            partitionKey,
            rowKey,
            owner: properties.get(OWNER)?.value,
          })),
      async (used, { partitionKey, rowKey, owner }, call) => {
        const entity = await this.#rows.find([partitionKey, String(owner)], call)
        return entity !== undefined && hasKey(used, entity, rowKey) ? entity : undefined
      },
    )
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
    return this.#entries(await this.#upkeep.readable(index, options))
  }

  /** Reads the state of an index, as it is stored now. */
  async state(index: Name, options: CallOptions = {}): Promise<IndexState> {
    return this.#upkeep.state(index, options)
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
    return this.#upkeep.setState(index, state, options)
  }

  /**
   * Compares all rows with their entries and all entries with their rows, and changes nothing. It reads the
   * whole table, each entry once and each row once more.
   *
   * @returns the progress at the end
   */
  async verify(options: ScrubOptions<Name> = {}): Promise<IndexProgress> {
    return this.#upkeep.scrub(options, 'verify')
  }

  /**
   * Works as {@link IndexedTable.verify}, and repairs the findings. A row whose entry is stored
   * gets a new
   * ETag. Writers may go on meanwhile.
   */
  async repair(options: ScrubOptions<Name> = {}): Promise<IndexProgress> {
    return this.#upkeep.scrub(options, 'repair')
  }

  /**
   * Builds indexes of a table that has rows, and makes them readable when all rows are compared. Writers may go on meanwhile,
   * as long as every program that writes the table declares the index.
   *
   * Several processes share the work: each takes ranges of rows, one after the other, and every call resolves when all ranges
   * are done. The catalogue holds the progress. A rebuild that was stopped continues where it ended, and the range of a
   * builder that died is taken over after `takeOverAfter`.
   *
   * An index with values that several entities share becomes `uniquenessPending`: `onFinding` receives them as
   * duplicates. Change one of each two entities, and rebuild. An index keeps its state when a row is `unreadable`:
   * mend or delete the row, and rebuild.
   *
   * @returns the work of all builders
   * @throws InputError (`IndexStateChanged`) when the state of an index was changed meanwhile, and (`IndexBuildDiffers`)
   * when another program rebuilds the indexes by another declaration
   *
   * @example
   * ```ts
   * await indexed.rebuild({ onProgress: ({ rows, builders }) => console.log(rows, builders) })
   * ```
   */
  async rebuild(options: RebuildOptions<Name> = {}): Promise<IndexBuild> {
    return this.#upkeep.rebuild(options)
  }

  /** Reads how far the rebuilds of this table are, in this and in other processes: one request for all of them. */
  async builds(options: CallOptions = {}): Promise<readonly IndexBuild[]> {
    return this.#upkeep.builds(options)
  }

  #entries(index: EntityIndex): TableQuery<Partial<Entity>> {
    return this.#account
      .table(copyModel(index, index.model.partitionKey), this.#table.name)
      .query() as TableQuery<Partial<Entity>>
  }
}

/** The rows first, and then the entries of each index. */
function stagesOf(
  model: EntityModel<object>,
  table: KeptTable,
  scrub: Scrub<EntityIndex>,
): readonly ScrubStage[] {
  const parts = { ...scrub, table }
  const rows: ScrubStage = {
    name: '',
    table,
    filter: entityRows(model),
    scrub: (row) => scrubRow(parts, row),
  }
  const entries = scrub.indexes.map((index) => ({
    name: index.name,
    table,
    filter: beginningFilter(index.beginning),
    scrub: (entry: RawEntity) => scrubEntry(parts, index, entry),
  }))
  return [rows, ...entries]
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
