import type { DynamicEntity } from '@rowkey/odata'
import { type CallOptions, keyCheckOf, type TableService } from '@rowkey/rest'
import type { BufferedWriter } from '../bulk/buffered-writer.ts'
import type { BufferOptions, BulkOptions } from '../bulk/bulk-options.ts'
import type { BulkWriter } from '../bulk/bulk-writer.ts'
import type { MemberEntity, MemberInput, MemberKey, UnionMember } from '../model/entity-of.ts'
import { onceForEach } from '../model/once-for-each.ts'
import { noOptions } from '../options/write-options.ts'
import { notFixable, partsWithin } from '../rows/parts-within.ts'
import {
  commonParts,
  dynamicParts,
  modelParts,
  modelRows,
  type TableParts,
} from '../rows/table-parts.ts'
import { Within } from '../rows/within.ts'
import { Table, type TableWithin } from '../table/table.ts'
import type {
  AnyOperation,
  ResultOf,
  ResultsOf,
  RetrieveOperation,
  TableOperation,
  TableWrite,
  UnionOperation,
} from '../writes/operation.ts'
import type { InputTo, RowOf, UnionTableOptions, UnionTypes } from './entity-union.ts'
import { TypeFinder, typeIn } from './type-finder.ts'
import { UnionBatch } from './union-batch.ts'
import { unionSlot } from './union-keepers.ts'
import { unionQueryModel } from './union-query-model.ts'

/** The operations of the table of a union. */
type OperationOn<Member extends UnionMember, Other extends DynamicEntity> =
  | TableOperation<MemberEntity<Member> | Other, MemberInput<Member> | Other, MemberKey<Member>>
  | UnionOperation<Member>

/** The operations of the table of a union that write. */
export type UnionWrite<Member extends UnionMember, Other extends DynamicEntity> =
  | TableWrite<MemberEntity<Member> | Other, MemberInput<Member> | Other, MemberKey<Member>>
  | Exclude<UnionOperation<Member>, RetrieveOperation<object, UnionMember | undefined>>

/**
 * A table with entities of several types, from {@link Account.table} and {@link union}. Each row is read,
 * and each object is written, with its own type, also in batches. Its queries are of rows of all types, by the
 * properties that the types share.
 *
 * @example
 * ```ts
 * const store = account.table('store', union(Customer, Order))
 * await store.batch().insert(customer).insert(order).submit()
 * const orders = await store.ofType(Order).query().where({ customerId: 'c1' }).toArray()
 * ```
 */
export class UnionTable<
  Member extends UnionMember,
  Other extends DynamicEntity = never,
> extends Table<RowOf<Member, Other>, InputTo<Member, Other>, MemberKey<Member>> {
  readonly #union: UnionTypes
  readonly #options: UnionTableOptions
  /** Makes the parts of a table of one of the types. */
  readonly #partsOf: (type: UnionMember) => TableParts<object>

  /** @internal */
  constructor(
    service: TableService,
    union: UnionTypes,
    options: UnionTableOptions,
    within?: Within,
  ) {
    // The type of an entity is known only at run time.
    super(unionParts(service, union, options, within) as TableParts<RowOf<Member, Other>>)
    this.#union = union
    this.#options = options
    this.#partsOf = onceForEach((given: UnionMember) => {
      const type = typeIn(union, given)
      const kept = unionSlot(union.types, type)
      const parts = { ...modelParts(service, type.model, options), kept }
      return within === undefined ? parts : partsWithin(parts, within.values)
    })
  }

  /**
   * Restricts a table to the rows whose keys have some properties fixed, as {@link Table.within} does, in all its types. Their
   * PartitionKeys must begin alike. Queries have the properties that the types share.
   *
   * @param values - the first properties of the PartitionKeys, or all of them
   * @throws InputError (`InvalidOptionValue`) for other properties, and for types whose PartitionKeys begin otherwise
   *
   * @example
   * ```ts
   * const acme = account.table('store', union(Customer, Order)).within({ tenant: 'acme' })
   * await acme.batch().insert({ orderNo: 7, total: 10 }).submit()
   * const orders = await acme.ofType(Order).query().toArray()
   * ```
   */
  override within<Name extends keyof MemberKey<Member> & string>(
    values: {
      readonly [Fixed in Name]: NonNullable<MemberKey<Member>[Fixed]>
    },
  ): UnionWithin<Member, Other, Name> {
    const { service, name, within, queryModel } = this.parts
    if (within !== undefined) throw notFixable(name)
    const { title, types } = this.#union
    const models = types.map(({ model }) => model)
    const fixed = new Within({ title, models, queryModel }, values)
    const table = new UnionTable<Member, Other>(service, this.#union, this.#options, fixed)
    return table as unknown as UnionWithin<Member, Other, Name>
  }

  /** Starts an atomic transaction on one partition, with entities of any of the types. */
  override batch(): UnionBatch<Member, Other>
  override batch(options: object = {}): UnionBatch<Member, Other> {
    noOptions.check(options, `batch of table ${this.name}`)
    return new UnionBatch<Member, Other>(this.writes)
  }

  /** Returns a writer of any number of entities of any of the types: see {@link Table.bulk}. */
  override bulk(
    options: BulkOptions<RowOf<Member, Other>> = {},
  ): BulkWriter<
    RowOf<Member, Other>,
    InputTo<Member, Other>,
    MemberKey<Member>,
    UnionWrite<Member, Other>
  > {
    return super.bulk(options)
  }

  /** Returns a writer that collects entities of any of the types: see {@link Table.buffered}. */
  override buffered(
    options: BufferOptions<RowOf<Member, Other>> = {},
  ): BufferedWriter<
    RowOf<Member, Other>,
    InputTo<Member, Other>,
    MemberKey<Member>,
    UnionWrite<Member, Other>
  > {
    return super.buffered(options)
  }

  /**
   * Executes an operation, as {@link Table.execute} does. The operation can have the type of its entity,
   * for an object that fits more than one.
   *
   * @example
   * ```ts
   * await directory.execute(Operation.insert(User, { id: 'u1' }))
   * ```
   */
  override async execute<Given extends OperationOn<Member, Other>>(
    operation: Given,
    options?: CallOptions,
  ): Promise<ResultOf<Given, RowOf<Member, Other>>>
  /** Executes several operations on one partition in one transaction, as {@link Table.execute} does. */
  override async execute<const Given extends readonly OperationOn<Member, Other>[]>(
    operations: Given,
    options?: CallOptions,
  ): Promise<ResultsOf<Given, RowOf<Member, Other>>>
  override async execute(
    given: AnyOperation | readonly AnyOperation[],
    options: CallOptions = {},
  ): Promise<unknown> {
    return super.execute(given as never, options)
  }

  /**
   * Opens the table of one of the types. It reads and writes entities of that type, and its queries
   * select only rows of that type. Nothing is sent.
   *
   * @param type - a class or model of the union
   * @throws ModelError for another class or model
   *
   * @example
   * ```ts
   * // of key`${'customerId'}` and key`0002_${'orderNo:8'}`
   * store.ofType(Order).query().where({ customerId: 'c1' })
   * // PartitionKey eq 'c1' and RowKey ge '0002_' and RowKey lt '0002`'
   * ```
   */
  ofType<Type extends Member>(
    type: Type,
  ): Table<MemberEntity<Type>, MemberInput<Type>, MemberKey<Type>> {
    const parts = this.#partsOf(type) as TableParts<MemberEntity<Type>> // the type's own
    return new Table<MemberEntity<Type>, MemberInput<Type>, MemberKey<Type>>(parts)
  }
}

/**
 * The rows of a table of several types whose keys have fixed properties, from {@link UnionTable.within}.
 *
 * @example
 * ```ts
 * type Acme = UnionWithin<typeof Customer | typeof Order, never, 'tenant'>
 * ```
 */
export type UnionWithin<
  Member extends UnionMember,
  Other extends DynamicEntity,
  Name extends PropertyKey,
> = TableWithin<RowOf<Member, Other>, InputTo<Member, Other>, MemberKey<Member>, Name> & {
  /**
   * Opens the table of one of the types, with the same fixed properties: see {@link UnionTable.ofType}.
   *
   * @param type - a class or model of the union
   */
  ofType<Type extends Member>(
    type: Type,
  ): TableWithin<MemberEntity<Type>, MemberInput<Type>, MemberKey<Type>, Name>
}

/** Makes the parts of a table of all types, and checks each type like a table of its own. */
function unionParts(
  service: TableService,
  union: UnionTypes,
  options: UnionTableOptions,
  within: Within | undefined,
): TableParts<object> {
  for (const { model } of union.types) modelParts(service, model, options)
  const { name } = options
  if (union.unknown === 'dynamic') dynamicParts(service, name, options)
  const types = new TypeFinder(union, keyCheckOf(service.endpoint), within)
  return {
    ...commonParts(service, name, options),
    types,
    rows: modelRows.with(within),
    within,
    assignType: (type, entity) => types.assign(type, entity),
    queryModel: unionQueryModel(union),
    kept: unionSlot(union.types),
  }
}
