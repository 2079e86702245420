import type { DynamicEntity } from '@rowkey/odata'
import { type CallOptions, keyCheckOf, type TableService } from '@rowkey/rest'
import type { BufferOptions } from '../bulk/buffer-options.ts'
import type { BufferedWriter } from '../bulk/buffered-writer.ts'
import type { BulkOptions } from '../bulk/bulk-options.ts'
import type { BulkWriter } from '../bulk/bulk-writer.ts'
import type { RowCodec } from '../codec/row-codec.ts'
import { ModelError } from '../errors/model-error.ts'
import type { MemberEntity, MemberInput, MemberKey, UnionMember } from '../model/entity-of.ts'
import { isClassOrModel } from '../model/to-model.ts'
import type {
  AnyOperation,
  ResultOf,
  ResultsOf,
  RetrieveOperation,
  TableOperation,
  TableWrite,
  UnionOperation,
} from '../table/operation/operation.ts'
import { Table } from '../table/table.ts'
import type { TableOptions } from '../table/table-options.ts'
import { dynamicParts, modelParts, originOf, type TableParts } from '../table/table-parts.ts'
import type { EntityUnion, UnionTypes } from './entity-union.ts'
import { TypeFinder, typeIn } from './type-finder.ts'
import { UnionBatch } from './union-batch.ts'
import { UnionCodec } from './union-codec.ts'
import { unionQueryModel } from './union-query-model.ts'

/** The options of the table of a union; its name is required. */
export interface UnionTableOptions extends TableOptions {
  readonly name: string
}

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
 * and each object is written, with its own type, also in batches.
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
> extends Table<MemberEntity<Member> | Other, MemberInput<Member> | Other, MemberKey<Member>> {
  readonly #service: TableService
  readonly #options: UnionTableOptions
  readonly #union: UnionTypes
  readonly #types: TypeFinder

  /** @internal */
  constructor(
    service: TableService,
    union: EntityUnion<Member, Other>,
    options: UnionTableOptions,
  ) {
    const finder = new TypeFinder(union, keyCheckOf(service.endpoint))
    const ofObjects: RowCodec<object> = new UnionCodec(finder)
    // The type of an entity is known only at run time.
    const codec = ofObjects as RowCodec<MemberEntity<Member> | Other>
    super({ ...partsOf(service, union, options), codec, queryModel: unionQueryModel(union) })
    this.#service = service
    this.#options = options
    this.#union = union
    this.#types = finder
  }

  /** Starts an atomic transaction on one partition, with entities of any of the types. */
  override batch(): UnionBatch<Member, Other> {
    return new UnionBatch<Member, Other>(this.writer.writeParts, this.#types)
  }

  /** Returns a writer of any number of entities of any of the types: see {@link Table.bulk}. */
  override bulk(
    options: BulkOptions<MemberEntity<Member> | Other> = {},
  ): BulkWriter<
    MemberEntity<Member> | Other,
    MemberInput<Member> | Other,
    MemberKey<Member>,
    UnionWrite<Member, Other>
  > {
    return this.writer.bulk(options, (operation) => this.#untyped(operation as AnyOperation))
  }

  /** Returns a writer that collects entities of any of the types: see {@link Table.buffered}. */
  override buffered(
    options: BufferOptions<MemberEntity<Member> | Other> = {},
  ): BufferedWriter<
    MemberEntity<Member> | Other,
    MemberInput<Member> | Other,
    MemberKey<Member>,
    UnionWrite<Member, Other>
  > {
    return this.writer.buffered(options, (operation) => this.#untyped(operation as AnyOperation))
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
  ): Promise<ResultOf<Given, MemberEntity<Member> | Other>>
  /** Executes several operations on one partition in one transaction, as {@link Table.execute} does. */
  override async execute<const Given extends readonly OperationOn<Member, Other>[]>(
    operations: Given,
    options?: CallOptions,
  ): Promise<ResultsOf<Given, MemberEntity<Member> | Other>>
  override async execute(
    given: AnyOperation | readonly AnyOperation[],
    options: CallOptions = {},
  ): Promise<unknown> {
    const untyped = Array.isArray(given)
      ? given.map((operation) => this.#untyped(operation))
      : this.#untyped(given as AnyOperation)
    return super.execute(untyped as never, options) // the overloads say which entities they are of
  }

  /**
   * Opens the table of one of the types. It reads and writes entities of that type, and its queries
   * select only rows of that type. Nothing is sent.
   *
   * @param type - a class or model of the union
   * @throws {@link ModelError} for another class or model
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
    const parts = modelParts(this.#service, typeIn(this.#union, type).model, this.#options)
    return new Table<MemberEntity<Type>, MemberInput<Type>, MemberKey<Type>>(
      parts as typeof parts & { readonly codec: RowCodec<MemberEntity<Type>> }, // the type's own
    )
  }

  /** Fixes the type of the operation's entity, and returns the operation without the type. */
  #untyped(operation: AnyOperation): AnyOperation {
    if (!isClassOrModel(operation?.type)) return operation
    this.#types.assign(operation.type, 'entity' in operation ? operation.entity : operation.target)
    return { ...operation, type: undefined }
  }
}

/** Makes the common parts of all tables, and checks each type like a table of its own. */
function partsOf(
  service: TableService,
  union: UnionTypes,
  options: UnionTableOptions,
): Pick<TableParts<object>, 'service' | 'name' | 'origin' | 'scans' | 'tokenSeal' | 'undigested'> {
  const all = union.types.map(({ model }) => {
    const parts = modelParts(service, model, options)
    if (parts.keepers !== undefined && parts.keepers.length > 0) throw keptType(model.title)
    return parts
  })
  const undigested = new Set(all.flatMap((parts) => [...(parts.undigested ?? [])]))
  const { name, scans } = options
  if (union.unknown === 'dynamic') dynamicParts(service, name, options)
  const tokenSeal = all[0]?.tokenSeal
  return { service, name, origin: originOf(service, name), scans, tokenSeal, undigested }
}

/** A write of a union does not know the keepers of a type, so index entries would go stale. */
function keptType(className: string): ModelError {
  return new ModelError({
    className,
    problem:
      'Its writes keep other rows in step, such as index entries, and a table of several types does not. Open a table of this model alone: account.table(Model).',
  })
}
