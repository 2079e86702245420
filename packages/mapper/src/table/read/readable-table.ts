import type { FilterNode } from '@rowkey/odata'
import {
  bindQuery,
  type PropertyOf,
  type QueryModel,
  resultsInOrder,
  type ScanPolicy,
  type Selection,
  type TokenSeal,
} from '@rowkey/query'
import {
  type CallOptions,
  checkOptions,
  type EntityRead,
  findEntity,
  getEntity,
  perform,
} from '@rowkey/rest'
import type { KeyMembers } from '../../model/entity-model.ts'
import { TableResource } from '../admin/table-resource.ts'
import type { EntityTarget } from '../entity-target.ts'
import type { TableParts } from '../table-parts.ts'
import { EntityReads } from './entity-reads.ts'
import { entitySource } from './entity-source.ts'
import { checkTargets, MANY_OPTION_NAMES, type ManyOptions } from './many-options.ts'
import { checkResolve, RESOLVE_OPTION_NAMES, type ResolveOptions } from './resolve-options.ts'
import { RowReader } from './row-reader.ts'
import type { SelectOptions } from './select-options.ts'
import type { TableQuery, TableShape } from './table-query.ts'

/** A table whose entities can be read: one by its key, and many by a query. */
export class ReadableTable<
  Entity extends object,
  Key extends object = KeyMembers<Entity>,
> extends TableResource {
  readonly #rows: RowReader<Entity>
  readonly #queryModel: QueryModel
  readonly #scans: ScanPolicy | undefined
  readonly #filter: FilterNode | undefined
  readonly #reads: EntityReads<Entity>
  readonly #tokenSeal: TokenSeal | undefined

  /** @param parts - what the table is made from; {@link Account.table} has them */
  constructor(parts: TableParts<Entity>) {
    const { service, name, origin, codec, queryModel, scans, filter, tokenSeal } = parts
    super(service, name)
    this.#rows = new RowReader(name, origin, codec)
    this.#queryModel = queryModel
    this.#scans = scans
    this.#filter = filter
    this.#tokenSeal = tokenSeal
    this.#reads = new EntityReads(parts)
  }

  /**
   * Reads one entity as something else.
   *
   * @param target - its key, as for any read
   * @param options - also `resolve`, which makes the result of the parts of the entity
   * @throws EntityNotFoundError when there is none
   * @throws DecodeError with the code `ResolverFailed` when the resolver throws
   *
   * @example
   * ```ts
   * const points = await customers.get(['Smith', 'Jeff'], {
   *   resolve: (lastName, firstName, timestamp, properties) => properties.get('points')?.value,
   * })
   * ```
   */
  async get<Result>(target: EntityTarget | Key, options: ResolveOptions<Result>): Promise<Result>
  /**
   * Reads some properties of one entity.
   *
   * @param target - its key: `['Smith', 'Jeff']`, `{ partitionKey, rowKey }`, or the properties that the key
   * is made of: `{ lastName: 'Smith', firstName: 'Jeff' }`
   * @param options - also `select`, the properties to read
   * @throws EntityNotFoundError when there is none
   *
   * @example
   * ```ts
   * const jeff = await customers.get(['Smith', 'Jeff'], { select: ['points'] })
   * ```
   */
  async get<Name extends PropertyOf<TableShape<Entity>>>(
    target: EntityTarget | Key,
    options: SelectOptions<Name>,
  ): Promise<Selection<Entity, TableShape<Entity>, Name>>
  /**
   * Reads one entity.
   *
   * @param target - its key: `['Smith', 'Jeff']`, `{ partitionKey, rowKey }`, or the properties that the key
   * is made of: `{ lastName: 'Smith', firstName: 'Jeff' }`
   * @throws EntityNotFoundError when there is none; {@link ReadableTable.find} gives `undefined` instead
   */
  async get(target: EntityTarget | Key, options?: CallOptions): Promise<Entity>
  async get(target: EntityTarget | Key, options: AnyReadOptions = {}): Promise<unknown> {
    const { select, resolve, ...call } = this.#checkRead(options, 'get')
    const input = this.#reads.input(target, select)
    return this.#reads.result(await perform(this.service, getEntity, input, call), input, resolve)
  }

  /**
   * Reads one entity as something else, if it is there.
   *
   * @param target - its key, as for any read
   * @param options - also `resolve`, which makes the result of the parts of the entity
   * @returns `undefined` when there is none; a missing table is an error all the same
   */
  async find<Result>(
    target: EntityTarget | Key,
    options: ResolveOptions<Result>,
  ): Promise<Result | undefined>
  /**
   * Reads some properties of one entity, if it is there.
   *
   * @param target - its key: `['Smith', 'Jeff']`, `{ partitionKey, rowKey }`, or the properties that the key
   * is made of: `{ lastName: 'Smith', firstName: 'Jeff' }`
   * @param options - also `select`, the properties to read
   * @returns `undefined` when there is none; a missing table is an error all the same
   */
  async find<Name extends PropertyOf<TableShape<Entity>>>(
    target: EntityTarget | Key,
    options: SelectOptions<Name>,
  ): Promise<Selection<Entity, TableShape<Entity>, Name> | undefined>
  /**
   * Reads one entity, if it is there.
   *
   * @param target - its key: `['Smith', 'Jeff']`, `{ partitionKey, rowKey }`, or the properties that the key
   * is made of: `{ lastName: 'Smith', firstName: 'Jeff' }`
   * @returns `undefined` when there is none; a missing table is an error all the same
   */
  async find(target: EntityTarget | Key, options?: CallOptions): Promise<Entity | undefined>
  async find(target: EntityTarget | Key, options: AnyReadOptions = {}): Promise<unknown> {
    const { select, resolve, ...call } = this.#checkRead(options, 'find')
    const input = this.#reads.input(target, select)
    const found = await perform(this.service, findEntity, input, call)
    return found && this.#reads.result(found, input, resolve)
  }

  /**
   * Reads several entities by their keys, in one request each, several at once. There are no joins: this
   * is how the entities are read that others name.
   *
   * @param targets - their keys, as for one read
   * @param options - also `concurrency`, how many reads are under way at once
   * @returns one item for each key, in the order of the keys; `undefined` where there is no entity. A
   * missing table is an error all the same
   *
   * @example
   * ```ts
   * const [jeff, ben] = await customers.getMany([['Smith', 'Jeff'], ['Smith', 'Ben']])
   * ```
   */
  async getMany(
    targets: Iterable<EntityTarget | Key>,
    options: ManyOptions = {},
  ): Promise<(Entity | undefined)[]> {
    const where = `getMany of table ${this.name}`
    checkOptions(options, MANY_OPTION_NAMES, where)
    checkTargets(targets, where)
    const { concurrency, ...given } = options
    const call = this.service.withDeadline(given)
    const inputs = Array.from(targets, (target) => this.#reads.input(target, undefined))
    const read = async (input: EntityRead, signal: AbortSignal) => {
      const found = await perform(this.service, findEntity, input, { ...call, signal })
      return found && this.#reads.entity(found, input)
    }
    const how = { concurrency, signal: call.signal }
    const found: (Entity | undefined)[] = []
    for await (const entity of resultsInOrder(inputs, read, how)) found.push(entity)
    return found
  }

  /**
   * Begins a query; nothing is sent before it is run. It sends one request for each page.
   *
   * @example
   * ```ts
   * for await (const customer of customers.query().where({ lastName: 'Smith' })) {
   *   console.log(customer.firstName)
   * }
   * ```
   */
  query(): TableQuery<Entity> {
    const source = entitySource(this.service, this.name, this.#rows, this.#tokenSeal)
    const all = bindQuery<Entity, CallOptions>(this.#queryModel, source, this.#scans)
    const query = this.#filter === undefined ? all : all.where(this.#filter)
    // The shape is known to the compiler alone, and a DynamicEntity's members are not its
    // properties.
    return query as unknown as TableQuery<Entity>
  }

  #checkRead(options: AnyReadOptions, method: string): AnyReadOptions {
    const where = `${method} of table ${this.name}`
    checkOptions(options, RESOLVE_OPTION_NAMES, where)
    checkResolve(options.resolve, where)
    return options
  }
}

/** What any read of one entity takes. */
type AnyReadOptions = Partial<ResolveOptions<unknown>>
