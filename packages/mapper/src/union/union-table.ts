import type { DynamicEntity, RawEntity } from '@rowkey/odata'
import type { ProjectionOf, PropertyOf, Selection } from '@rowkey/query'
import {
  type CallOptions,
  keyCheckOf,
  type SharedAccessSignature,
  type SweepOptions,
  type TableService,
} from '@rowkey/rest'
import type { BufferedWriter } from '../bulk/buffered-writer.ts'
import type { BufferOptions, BulkOptions } from '../bulk/bulk-options.ts'
import type { BulkRun } from '../bulk/bulk-run.ts'
import type { BulkWriter } from '../bulk/bulk-writer.ts'
import { ModelError } from '../errors/model-error.ts'
import type { Mapping } from '../layers/mapping.ts'
import type { MemberEntity, MemberInput, MemberKey, UnionMember } from '../model/entity-of.ts'
import { isClassOrModel } from '../model/to-model.ts'
import type { AccessPolicies } from '../table/admin/access-policies.ts'
import type { CreateOptions } from '../table/admin/admin-options.ts'
import type { TableSasTerms } from '../table/admin/sas-terms-of.ts'
import { isCallOptions } from '../table/call-options.ts'
import type { EntityTarget } from '../table/entity-target.ts'
import { keepingOf } from '../table/keep/keeping.ts'
import type {
  AnyOperation,
  ResultOf,
  ResultsOf,
  RetrieveOperation,
  TableOperation,
  TableWrite,
  UnionOperation,
} from '../table/operation/operation.ts'
import type { CopyOptions, DeleteAllOptions } from '../table/raw/raw-options.ts'
import type { CopyDestination, RawTable } from '../table/raw/raw-table.ts'
import type { TableQuery, TableShape } from '../table/read/table-query.ts'
import type {
  AnyReadOptions,
  ManyOptions,
  ResolveOptions,
  SelectOptions,
} from '../table/read/table-reader.ts'
import { Table } from '../table/table.ts'
import { dynamicParts, modelParts, originOf, type TableParts } from '../table/table-parts.ts'
import { type TableRoles, tableRoles } from '../table/table-roles.ts'
import type { EntityModifier, ModifyOptions } from '../table/write/modify-entity.ts'
import type { InsertOptions, WriteOptions } from '../table/write/write-options.ts'
import type { UnionTableOptions, UnionTypes } from './entity-union.ts'
import { TypeFinder, typeIn } from './type-finder.ts'
import { UnionBatch } from './union-batch.ts'
import { unionMapping } from './union-mapping.ts'
import { unionQueryModel } from './union-query-model.ts'

/** The operations of the table of a union. */
type OperationOn<Member extends UnionMember, Other extends DynamicEntity> =
  | TableOperation<MemberEntity<Member> | Other, MemberInput<Member> | Other, MemberKey<Member>>
  | UnionOperation<Member>

/** The operations of the table of a union that write. */
export type UnionWrite<Member extends UnionMember, Other extends DynamicEntity> =
  | TableWrite<MemberEntity<Member> | Other, MemberInput<Member> | Other, MemberKey<Member>>
  | Exclude<UnionOperation<Member>, RetrieveOperation<object, UnionMember | undefined>>

/** An entity of the table of a union. */
type RowOf<Member extends UnionMember, Other extends DynamicEntity> = MemberEntity<Member> | Other

/** What can be written to the table of a union. */
type InputTo<Member extends UnionMember, Other extends DynamicEntity> = MemberInput<Member> | Other

/** What a read of the table of a union takes. */
type TargetIn<Member extends UnionMember> = EntityTarget | MemberKey<Member>

/** What a delete takes. */
type DeletedBy<Member extends UnionMember, Other extends DynamicEntity> =
  | RowOf<Member, Other>
  | ProjectionOf<RowOf<Member, Other>>
  | TargetIn<Member>

/**
 * A table with entities of several types, from {@link Account.table} and {@link union}. Each row is read,
 * and each object is written, with its own type, also in batches. Its methods work as those of
 * {@link Table}.
 *
 * @example
 * ```ts
 * const store = account.table('store', union(Customer, Order))
 * await store.batch().insert(customer).insert(order).submit()
 * const orders = await store.ofType(Order).query().where({ customerId: 'c1' }).toArray()
 * ```
 */
export class UnionTable<Member extends UnionMember, Other extends DynamicEntity = never> {
  /** The table's name. */
  readonly name: string
  /** @internal */
  readonly rawRows: RawTable
  readonly #roles: TableRoles<RowOf<Member, Other>>
  readonly #types: TypeFinder
  /** Makes the parts of a table of one of the types. */
  readonly #partsOf: (type: UnionMember) => TableParts<object>

  /** @internal */
  constructor(service: TableService, union: UnionTypes, options: UnionTableOptions) {
    const finder = new TypeFinder(union, keyCheckOf(service.endpoint))
    // The type of an entity is known only at run time.
    const mapping = unionMapping(finder) as unknown as Mapping<RowOf<Member, Other>>
    const parts = partsOf(service, union, options)
    this.name = parts.name
    this.#roles = tableRoles({ ...parts, mapping, queryModel: unionQueryModel(union) })
    this.rawRows = this.#roles.rawRows
    this.#types = finder
    this.#partsOf = (type) => modelParts(service, typeIn(union, type).model, options)
  }

  /**
   * Reads one entity as another value: see {@link Table.get}.
   *
   * @throws EntityNotFoundError when the entity does not exist
   */
  async get<Result>(target: TargetIn<Member>, options: ResolveOptions<Result>): Promise<Result>
  /**
   * Reads some properties of one entity: see {@link Table.get}.
   *
   * @throws EntityNotFoundError when the entity does not exist
   */
  async get<Name extends PropertyOf<TableShape<RowOf<Member, Other>>>>(
    target: TargetIn<Member>,
    options: SelectOptions<Name>,
  ): Promise<Selection<RowOf<Member, Other>, TableShape<RowOf<Member, Other>>, Name>>
  /**
   * Reads one entity: see {@link Table.get}.
   *
   * @throws EntityNotFoundError when the entity does not exist
   */
  async get(target: TargetIn<Member>, options?: CallOptions): Promise<RowOf<Member, Other>>
  async get(target: TargetIn<Member>, options: AnyReadOptions = {}): Promise<unknown> {
    return this.#roles.reader.get(target, options)
  }

  /** Reads one entity as another value, if it exists: see {@link Table.find}. */
  async find<Result>(
    target: TargetIn<Member>,
    options: ResolveOptions<Result>,
  ): Promise<Result | undefined>
  /** Reads some properties of one entity, if it exists: see {@link Table.find}. */
  async find<Name extends PropertyOf<TableShape<RowOf<Member, Other>>>>(
    target: TargetIn<Member>,
    options: SelectOptions<Name>,
  ): Promise<Selection<RowOf<Member, Other>, TableShape<RowOf<Member, Other>>, Name> | undefined>
  /** Reads one entity, if it exists: see {@link Table.find}. */
  async find(
    target: TargetIn<Member>,
    options?: CallOptions,
  ): Promise<RowOf<Member, Other> | undefined>
  async find(target: TargetIn<Member>, options: AnyReadOptions = {}): Promise<unknown> {
    return this.#roles.reader.find(target, options)
  }

  /** Reads several entities by their keys: see {@link Table.getMany}. */
  async getMany(
    targets: Iterable<TargetIn<Member>>,
    options: ManyOptions = {},
  ): Promise<(RowOf<Member, Other> | undefined)[]> {
    return this.#roles.reader.getMany(targets, options)
  }

  /** Starts a query of rows of all types, by the properties that the types share: see {@link Table.query}. */
  query(): TableQuery<RowOf<Member, Other>> {
    return this.#roles.reader.query()
  }

  /**
   * Stores a new entity: see {@link Table.insert}.
   *
   * @throws EntityAlreadyExistsError when an entity with the same key exists
   */
  async insert(
    entity: InputTo<Member, Other>,
    options: InsertOptions = {},
  ): Promise<RowOf<Member, Other>> {
    return this.#roles.writer.insert(entity, options)
  }

  /**
   * Changes some properties of a stored entity and keeps the others: see {@link Table.merge}.
   *
   * @throws ETagMismatchError when the entity has changed since it was read
   * @throws InputError (`MissingETag`) without an ETag
   */
  async merge<Row extends RowOf<Member, Other> | ProjectionOf<RowOf<Member, Other>>>(
    entity: Row,
    options: WriteOptions = {},
  ): Promise<Row> {
    return this.#roles.writer.merge(entity, options) as Promise<Row>
  }

  /**
   * Replaces the stored entity: see {@link Table.replace}.
   *
   * @throws ETagMismatchError when the entity has changed since it was read
   * @throws InputError (`MissingETag`) without an ETag
   */
  async replace(
    entity: RowOf<Member, Other> | InputTo<Member, Other>,
    options: WriteOptions = {},
  ): Promise<RowOf<Member, Other>> {
    return this.#roles.writer.replace(entity, options)
  }

  /** Stores an entity, or merges it into the stored one: see {@link Table.insertOrMerge}. */
  async insertOrMerge(
    entity: RowOf<Member, Other> | InputTo<Member, Other>,
    options: CallOptions = {},
  ): Promise<RowOf<Member, Other>> {
    return this.#roles.writer.insertOrMerge(entity, options)
  }

  /** Stores an entity, or replaces the stored one: see {@link Table.insertOrReplace}. */
  async insertOrReplace(
    entity: RowOf<Member, Other> | InputTo<Member, Other>,
    options: CallOptions = {},
  ): Promise<RowOf<Member, Other>> {
    return this.#roles.writer.insertOrReplace(entity, options)
  }

  /**
   * Deletes one entity: see {@link Table.delete}.
   *
   * @throws EntityNotFoundError when the entity does not exist
   * @throws ETagMismatchError when the entity has changed since it was read
   */
  async delete(target: DeletedBy<Member, Other>, options: WriteOptions = {}): Promise<void> {
    return this.#roles.writer.delete(target, options)
  }

  /** Deletes one entity, if it exists: see {@link Table.deleteIfExists}. */
  async deleteIfExists(
    target: DeletedBy<Member, Other>,
    options: WriteOptions = {},
  ): Promise<boolean> {
    return this.#roles.writer.deleteIfExists(target, options)
  }

  /** Starts an atomic transaction on one partition, with entities of any of the types. */
  batch(): UnionBatch<Member, Other> {
    return new UnionBatch<Member, Other>(this.#roles.writer.batch(), this.#types)
  }

  /** Returns a writer of any number of entities of any of the types: see {@link Table.bulk}. */
  bulk(
    options: BulkOptions<RowOf<Member, Other>> = {},
  ): BulkWriter<
    RowOf<Member, Other>,
    InputTo<Member, Other>,
    MemberKey<Member>,
    UnionWrite<Member, Other>
  > {
    const { writer } = this.#roles
    return writer.bulk(options, (operation) => this.#untyped(operation as AnyOperation))
  }

  /** Returns a writer that collects entities of any of the types: see {@link Table.buffered}. */
  buffered(
    options: BufferOptions<RowOf<Member, Other>> = {},
  ): BufferedWriter<
    RowOf<Member, Other>,
    InputTo<Member, Other>,
    MemberKey<Member>,
    UnionWrite<Member, Other>
  > {
    const { writer } = this.#roles
    return writer.buffered(options, (operation) => this.#untyped(operation as AnyOperation))
  }

  /** Deletes all rows of a partition, of any type: see {@link Table.deletePartition}. */
  deletePartition(partitionKey: string, options: DeleteAllOptions = {}): BulkRun<RawEntity> {
    return this.#roles.reader.deletePartition(partitionKey, options)
  }

  /** Copies all rows, of any type, to another table: see {@link Table.copyTo}. */
  copyTo(destination: CopyDestination, options: CopyOptions = {}): BulkRun<RawEntity> {
    return this.#roles.reader.copyTo(destination, options)
  }

  /**
   * Reads an entity, lets a function change it, and writes the changes: see {@link Table.modify}.
   *
   * @throws `ModifyConflictError` when the entity changed in between in every attempt
   */
  async modify(
    target: TargetIn<Member>,
    modifier: EntityModifier<RowOf<Member, Other>>,
    options: ModifyOptions<InputTo<Member, Other>> = {},
  ): Promise<RowOf<Member, Other>> {
    return this.#roles.writer.modify(target, modifier, options)
  }

  /** Reads an entity again, into the same object: see {@link Table.reload}. */
  async reload(entity: RowOf<Member, Other>, options: CallOptions = {}): Promise<boolean> {
    return this.#roles.writer.reload(entity, options)
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
  async execute<Given extends OperationOn<Member, Other>>(
    operation: Given,
    options?: CallOptions,
  ): Promise<ResultOf<Given, RowOf<Member, Other>>>
  /** Executes several operations on one partition in one transaction, as {@link Table.execute} does. */
  async execute<const Given extends readonly OperationOn<Member, Other>[]>(
    operations: Given,
    options?: CallOptions,
  ): Promise<ResultsOf<Given, RowOf<Member, Other>>>
  async execute(
    given: AnyOperation | readonly AnyOperation[],
    options: CallOptions = {},
  ): Promise<unknown> {
    const untyped = Array.isArray(given)
      ? given.map((operation) => this.#untyped(operation))
      : this.#untyped(given as AnyOperation)
    return this.#roles.writer.execute(untyped, options)
  }

  /** The stored access policies of the table: see {@link Table.accessPolicies}. */
  get accessPolicies(): AccessPolicies {
    return this.#roles.admin.accessPolicies
  }

  /**
   * Creates the table: see {@link Table.create}.
   *
   * @throws TableAlreadyExistsError when the table exists
   */
  async create(options: CreateOptions = {}): Promise<void> {
    return this.#roles.admin.create(options)
  }

  /** Creates the table unless it exists: see {@link Table.createIfNotExists}. */
  async createIfNotExists(options: CreateOptions = {}): Promise<boolean> {
    return this.#roles.admin.createIfNotExists(options)
  }

  /**
   * Deletes the table and everything in it: see {@link Table.drop}.
   *
   * @throws TableNotFoundError when the table does not exist
   */
  async drop(options: CallOptions = {}): Promise<void> {
    return this.#roles.admin.drop(options)
  }

  /** Deletes the table and everything in it, if it exists: see {@link Table.dropIfExists}. */
  async dropIfExists(options: CallOptions = {}): Promise<boolean> {
    return this.#roles.admin.dropIfExists(options)
  }

  /** Deletes the old markers of exact writes: see {@link Table.sweepMarkers}. */
  async sweepMarkers(options: SweepOptions = {}): Promise<number> {
    return this.#roles.admin.sweepMarkers(options)
  }

  /** Tells whether an entity exists: see {@link Table.exists}. */
  async exists(target: TargetIn<Member>, options?: CallOptions): Promise<boolean>
  /** Tells whether the table exists: see {@link Table.exists}. */
  async exists(options?: CallOptions): Promise<boolean>
  async exists(
    target: TargetIn<Member> | CallOptions = {},
    options?: CallOptions,
  ): Promise<boolean> {
    const { admin, reader } = this.#roles
    if (options !== undefined) return reader.exists(target, options)
    return isCallOptions(target) ? admin.exists(target) : reader.existsOnly(target)
  }

  /** Makes a shared access signature for this table, or for a range of its keys: see {@link Table.sas}. */
  sas(terms: TableSasTerms): SharedAccessSignature {
    return this.#roles.admin.sas(terms)
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
    const parts = this.#partsOf(type) as TableParts<MemberEntity<Type>> // the type's own
    return new Table<MemberEntity<Type>, MemberInput<Type>, MemberKey<Type>>(parts)
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
): Pick<
  TableParts<object>,
  'service' | 'name' | 'origin' | 'opener' | 'scans' | 'tokenSeal' | 'undigested'
> {
  const all = union.types.map(({ model }) => {
    const parts = modelParts(service, model, options)
    if (keepingOf(parts.kept) !== undefined) throw keptType(model.title)
    return parts
  })
  const undigested = new Set(all.flatMap((parts) => [...(parts.undigested ?? [])]))
  const { name, opener, scans } = options
  if (union.unknown === 'dynamic') dynamicParts(service, name, options)
  const tokenSeal = all[0]?.tokenSeal
  return { service, name, origin: originOf(service, name), opener, scans, tokenSeal, undigested }
}

/** A write of a union does not run the keepers of a type, so index entries would go stale. */
function keptType(className: string): ModelError {
  return new ModelError({
    className,
    problem:
      'Its writes keep other rows in step, such as index entries, and a table of several types does not. Open a table of this model alone: account.table(Model).',
  })
}
