import {
  aFunction,
  anything,
  type DeclaredOptions,
  type DynamicEntity,
  declareOptions,
  dynamicEntityCodec,
  InputError,
  type RawEntity,
} from '@rowkey/odata'
import {
  dynamicQueryModel,
  type EntityResolver,
  type PropertyOf,
  type QueryModel,
  queryNode,
  resolveEntity,
  selectNames,
} from '@rowkey/query'
import { type CallOptions, callOptions, type EntityRead, type ReadResult } from '@rowkey/rest'
import type { BulkRun } from '../../bulk/bulk-run.ts'
import type { RowReads } from '../../model/row-lifetime.ts'
import { requestsInOrder } from '../../options/account-level.ts'
import { checkOneKey, type EntityTarget, targetKey } from '../entity-target.ts'
import { keepingOf, type TableSource } from '../keep/keeping.ts'
import type { CopyOptions, DeleteAllOptions } from '../raw/raw-options.ts'
import type { CopyDestination, RawTable } from '../raw/raw-table.ts'
import type { TableParts } from '../table-parts.ts'
import { entitySource } from './entity-source.ts'
import { existsError, targetsError } from './read-errors.ts'
import { readRow, readsOf, revealRow } from './read-row.ts'
import { TableQuery, type TableShape } from './table-query.ts'

/** The options of reading some properties of an entity. */
export interface SelectOptions<Name extends string = string> extends CallOptions {
  /**
   * The properties to read, as the class names them. PartitionKey, RowKey, Timestamp and ETag are
   * always read with them, so that the entity can still be merged or deleted.
   */
  readonly select: readonly [Name, ...Name[]]
}

/** The options of reading an entity as another value. */
export interface ResolveOptions<Result> extends CallOptions {
  /** Makes the result from the parts of the entity; its return value is passed on as it is. */
  readonly resolve: EntityResolver<Result>
  /** The properties to read, as the class names them; all when absent. */
  readonly select?: readonly [string, ...string[]] | undefined
}

/** The options that any read of one entity accepts. */
export type AnyReadOptions = Partial<ResolveOptions<unknown>>

/**
 * The key of a read. When `Options` is text, a caller gave the key as two arguments, and the compiler shows how to give
 * it.
 *
 * @example
 * ```ts
 * type A = OneKey<{ timeout: number }, EntityTarget> // EntityTarget
 * ```
 */
export type OneKey<Options, Target> = Options extends string ? KeyRule : Target

/** The rule for keys, which the compiler shows to a caller who gave a key as two arguments. No key is this text. */
export type KeyRule =
  'A key is one argument: pass [partitionKey, rowKey], or an object with the properties of the key'

/**
 * The options of a read in any form; text stays as it is, for {@link OneKey}.
 *
 * @example
 * ```ts
 * type A = NoText<'Jeff', Customer> // 'Jeff'
 * ```
 */
export type NoText<Options, Entity> = Options extends string
  ? Options
  : SelectOptions<PropertyOf<TableShape<Entity>>> | ResolveOptions<unknown> | CallOptions

export const readOptions: DeclaredOptions<AnyReadOptions> = declareOptions<AnyReadOptions>({
  ...callOptions.rules,
  select: anything,
  resolve: {
    ...aFunction,
    text: 'a function of (partitionKey, rowKey, timestamp, properties, etag)',
  },
})

/** The options of reading several entities by their keys. */
export interface ManyOptions extends CallOptions {
  /**
   * How many reads may be pending at once: fewer while the service throttles.
   *
   * @defaultValue the level of the account, from 8 to 64
   */
  readonly concurrency?: number | undefined
}

export const manyOptions: DeclaredOptions<ManyOptions> = declareOptions<ManyOptions>({
  ...callOptions.rules,
  concurrency: anything,
})

const KEY_NAMES = ['PartitionKey', 'RowKey']

/** Reads the entities of one table, by key and by query; {@link Table} documents its methods. */
export class TableReader<Entity extends object> {
  readonly #parts: TableParts<Entity>
  readonly #reads: RowReads
  readonly #raw: RawTable

  /**
   * @param parts - the table
   * @param raw - deletes and copies its rows
   */
  constructor(parts: TableParts<Entity>, raw: RawTable) {
    this.#parts = parts
    this.#reads = readsOf(parts.lifetime)
    this.#raw = raw
  }

  /**
   * Reads one entity, some of its properties, or a value that a resolver makes of it. `find` returns `undefined` for a
   * missing entity.
   */
  async read(method: 'get' | 'find', target: unknown, options: AnyReadOptions): Promise<unknown> {
    const where = `${method} of table ${this.#parts.name}`
    checkOneKey(options, where)
    readOptions.check(options, where)
    const { select, resolve, ...call } = options
    const input = this.#input(target, select)
    const found = await this.#reads[method](this.#parts.service, input, call)
    return found && this.#result(found, input, resolve)
  }

  /** Tells whether an entity exists; reads nothing but its key. */
  async exists(target: unknown, options: CallOptions = {}): Promise<boolean> {
    const where = `exists of table ${this.#parts.name}`
    checkOneKey(options, where)
    callOptions.check(options, where)
    const input = { ...this.#input(target), select: KEY_NAMES }
    return (await this.#find(input, options)) !== undefined
  }

  /** Tells whether the entity exists that the only argument of `exists` names. */
  async existsOnly(target: unknown): Promise<boolean> {
    try {
      return await this.exists(target)
    } catch (error) {
      if (target === null || Array.isArray(target) || !(error instanceof InputError)) throw error
      throw existsError(Object(target), this.#parts.name, error)
    }
  }

  /** Reads several entities by their keys. */
  async getMany(
    targets: Iterable<EntityTarget | object>,
    options: ManyOptions,
  ): Promise<(Entity | undefined)[]> {
    const { service, name } = this.#parts
    const where = `getMany of table ${name}`
    manyOptions.check(options, where)
    if (!isIterable(targets)) throw targetsError(where)
    const { concurrency, ...rest } = options
    const call = service.withDeadline(rest)
    const inputs = Array.from(targets, (target) => this.#input(target))
    return service.pendingCalls.runSeries(call, async (series) => {
      const read = async (input: EntityRead, options: CallOptions) => {
        const found = await this.#find(input, options)
        return found && readRow(this.#parts, found.raw, found.etag)
      }
      const found: (Entity | undefined)[] = []
      const results = requestsInOrder(service, inputs, read, {
        options: series,
        concurrency,
        partitionOf: ({ key }) => key.partitionKey,
      })
      for await (const entity of results) found.push(entity)
      return found
    })
  }

  /** Returns a new query of the table. */
  query(): TableQuery<Entity> {
    const { service, name, queryModel, filter, kept, lifetime } = this.#parts
    const source = entitySource(this.#parts)
    const keptSource = keepingOf(kept)?.source(source, { service, name }, lifetime)
    const all = this.#queryOf(queryModel, keptSource ?? source)
    // Only the compiler knows the shape: the members of a DynamicEntity are not its properties.
    return filter === undefined ? all : all.where(filter as never)
  }

  /** Deletes all rows of a partition. */
  deletePartition(partitionKey: string, options: DeleteAllOptions): BulkRun<RawEntity> {
    const inPartition = this.#rawQuery().where({ partitionKey })
    return inPartition.allowPartitionScan().deleteAll(options)
  }

  /** Copies all rows to another table. */
  copyTo(destination: CopyDestination, options: CopyOptions): BulkRun<RawEntity> {
    return this.#rawQuery().allowTableScan().copyTo(destination, options)
  }

  /** Returns a query of all rows of the table, of any type and those of keepers, by their stored names. */
  #rawQuery(): TableQuery<DynamicEntity> {
    // Rows of no type are shown as they are stored, without a lifetime.
    const source = entitySource({ ...this.#parts, lifetime: undefined })
    const query = this.#queryOf(dynamicQueryModel(this.#parts.name), source, true)
    return query as unknown as TableQuery<DynamicEntity> // its rows are never read
  }

  #queryOf(model: QueryModel, source: TableSource<Entity>, hasKept = false): TableQuery<Entity> {
    const node = queryNode(model, this.#parts.scans)
    return new TableQuery(node, source, this.#raw, hasKept)
  }

  /**
   * Makes the input of a read.
   *
   * @throws InputError (`InvalidEntityKey`) when the target does not name an entity
   * @throws InputError with the code `InvalidQuery` for a property that is not stored, and without a
   * property
   */
  #input(target: unknown, select?: readonly string[]): EntityRead {
    const { name: table, mapping, queryModel } = this.#parts
    const read = { table, key: targetKey(target, mapping) }
    return select === undefined ? read : { ...read, select: selectNames(queryModel, select) }
  }

  /**
   * Returns the entity that a read found, or what the caller's resolver makes of it.
   *
   * @throws DecodeError with the code `ResolverFailed` when the resolver throws
   */
  #result<Result>(
    { raw, etag }: ReadResult,
    { select }: EntityRead,
    resolver?: EntityResolver<Result>,
  ): Entity | Result {
    if (resolver === undefined) return readRow(this.#parts, raw, etag, select !== undefined)
    const entity = dynamicEntityCodec.read(revealRow(this.#parts, raw), etag)
    return resolveEntity(resolver, entity, this.#parts.queryModel.name, this.#parts.name)
  }

  #find(input: EntityRead, options: CallOptions): Promise<ReadResult | undefined> {
    return this.#reads.find(this.#parts.service, input, options)
  }
}

/** JavaScript callers may pass anything. */
function isIterable(targets: Partial<Iterable<unknown>> | null | undefined): boolean {
  return typeof targets?.[Symbol.iterator] === 'function'
}
