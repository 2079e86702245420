import type { EntityCodec } from '@rowkey/odata'
import { bindQuery, type PropertyOf, type QueryModel, type Selection } from '@rowkey/query'
import { type CallOptions, checkOptions, findEntity, getEntity, perform } from '@rowkey/rest'
import type { KeyMembers } from '../model/entity-model.ts'
import { EntityReads } from './entity-reads.ts'
import { entitySource } from './entity-source.ts'
import type { EntityTarget } from './entity-target.ts'
import { SELECT_OPTION_NAMES, type SelectOptions } from './select-options.ts'
import type { TableParts } from './table-parts.ts'
import type { TableQuery, TableShape } from './table-query.ts'
import { TableResource } from './table-resource.ts'

/** A table whose entities can be read: one by its key, and many by a query. */
export class ReadableTable<
  Entity extends object,
  Key extends object = KeyMembers<Entity>,
> extends TableResource {
  readonly #codec: EntityCodec<Entity>
  readonly #queryModel: QueryModel
  readonly #reads: EntityReads<Entity>

  /** @param parts - what the table is made from; {@link Account.table} has them */
  constructor({ service, name, codec, queryModel }: TableParts<Entity>) {
    super(service, name)
    this.#codec = codec
    this.#queryModel = queryModel
    this.#reads = new EntityReads(name, codec, queryModel)
  }

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
  async get(target: EntityTarget | Key, options: Partial<SelectOptions> = {}): Promise<unknown> {
    const { select, ...call } = this.#checkSelect(options, 'get')
    const input = this.#reads.input(target, select)
    return this.#reads.entity(await perform(this.service, getEntity, input, call), input)
  }

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
  async find(target: EntityTarget | Key, options: Partial<SelectOptions> = {}): Promise<unknown> {
    const { select, ...call } = this.#checkSelect(options, 'find')
    const input = this.#reads.input(target, select)
    const found = await perform(this.service, findEntity, input, call)
    return found && this.#reads.entity(found, input)
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
    const source = entitySource(this.service, this.name, this.#codec)
    const query = bindQuery<Entity, CallOptions>(this.#queryModel, source)
    // The shape is known to the compiler alone, and a DynamicEntity's members are not its
    // properties.
    return query as unknown as TableQuery<Entity>
  }

  #checkSelect(options: Partial<SelectOptions>, method: string): Partial<SelectOptions> {
    checkOptions(options, SELECT_OPTION_NAMES, `${method} of table ${this.name}`)
    return options
  }
}
