import type { ProjectionOf } from '@rowkey/query'
import type { MemberEntity, MemberInput, MemberKey, UnionMember } from '../model/entity-of.ts'
import { isClassOrModel } from '../model/to-model.ts'
import { type ChangeOptions, givenEtag } from '../options/write-options.ts'
import type { EntityTarget } from '../rows/entity-target.ts'

/** A write of one entity as a value, from {@link Operation}. */
export interface WriteOperation<
  Kind extends WriteKind = WriteKind,
  Entity extends object = object,
  Type extends UnionMember | undefined = undefined,
> {
  /** The method of a table that does the same. */
  readonly kind: Kind
  /** The type of the entity, for the table of a union. */
  readonly type?: Type
  /** The entity; its values at the time of execution are written. */
  readonly entity: Entity
  /** The ETag to match; `undefined` for the one that the entity carries at that time. */
  readonly etag: string | undefined
}

/** The operations that write an entity. */
export type WriteKind = 'insert' | 'merge' | 'replace' | 'insertOrMerge' | 'insertOrReplace'

/** A delete of one entity as a value, from {@link Operation}. */
export interface DeleteOperation<
  Target extends object = object,
  Type extends UnionMember | undefined = undefined,
> {
  /** The method of a table that does the same. */
  readonly kind: 'delete'
  /** The type of the entity, for the table of a union. */
  readonly type?: Type
  /** The entity, or its key. */
  readonly target: Target
  /** The ETag to match; `undefined` for the one that the entity carries at that time. */
  readonly etag: string | undefined
}

/** A read of one entity as a value, from {@link Operation}. */
export interface RetrieveOperation<
  Target extends object = object,
  Type extends UnionMember | undefined = undefined,
> {
  /** The method of a batch that does the same. */
  readonly kind: 'retrieve'
  /** The type of the entity, for the table of a union. */
  readonly type?: Type
  /** The key of the entity. */
  readonly target: Target
}

/**
 * The operations that a table of `Entity` executes.
 *
 * @example
 * ```ts
 * // of Table<Customer>
 * const operations: TableOperation<Customer, Customer, KeyMembers<Customer>>[] = [
 *   Operation.insert(jeff),
 *   Operation.delete(['Smith', 'Ben'], { etag: '*' }),
 * ]
 * ```
 */
export type TableOperation<Entity extends object, Input extends object, Key extends object> =
  | TableWrite<Entity, Input, Key>
  | RetrieveOperation<EntityTarget | Key>

/** The operations of a table of `Entity` that write. */
export type TableWrite<Entity extends object, Input extends object, Key extends object> =
  | WriteOperation<'insert', Input>
  | WriteOperation<'merge', Entity | ProjectionOf<Entity>>
  | WriteOperation<'replace' | 'insertOrMerge' | 'insertOrReplace', Entity | Input>
  | DeleteOperation<Entity | ProjectionOf<Entity> | EntityTarget | Key>

/**
 * The operations with a type that the table of a union executes.
 *
 * @example
 * ```ts
 * // of a table of union(User, Group)
 * const operations: UnionOperation<typeof User | typeof Group>[] = [
 *   Operation.insert(User, { id: 'u1' }),
 *   Operation.delete(Group, { id: 'g1' }, { etag: '*' }),
 * ]
 * ```
 */
export type UnionOperation<Member extends UnionMember> = Member extends UnionMember
  ?
      | WriteOperation<'insert', MemberInput<Member>, Member>
      | WriteOperation<'merge', MemberEntity<Member> | ProjectionOf<MemberEntity<Member>>, Member>
      | WriteOperation<
          'replace' | 'insertOrMerge' | 'insertOrReplace',
          MemberEntity<Member> | MemberInput<Member>,
          Member
        >
      | DeleteOperation<
          MemberEntity<Member> | ProjectionOf<MemberEntity<Member>> | MemberKey<Member>,
          Member
        >
      | RetrieveOperation<MemberKey<Member>, Member>
  : never

/** Any operation, of any entity. */
export type AnyOperation<Entity extends object = object> =
  | WriteOperation<WriteKind, Entity, UnionMember | undefined>
  | DeleteOperation<object, UnionMember | undefined>
  | RetrieveOperation<object, UnionMember | undefined>

/** The result of an operation. */
export interface OperationResult<Found> {
  /** The entity's new ETag; `undefined` after a delete, and for a missing entity. */
  readonly etag: string | undefined
  /** The object that was written, or the entity that was read; `undefined` for a missing entity. */
  readonly entity: Found
  /**
   * The HTTP status of the operation, also inside a transaction; `undefined` when nothing was sent, or when
   * the response was lost and a read settled the write.
   */
  readonly status: number | undefined
}

/**
 * The result of an operation on a table of `Entity`.
 *
 * @example
 * ```ts
 * // on a table of Customer
 * type A = ResultOf<WriteOperation<'merge', Customer>, Customer> // OperationResult<Customer>
 * type B = ResultOf<RetrieveOperation, Customer> // OperationResult<Customer | undefined>
 * type C = ResultOf<DeleteOperation, Customer> // OperationResult<undefined>
 * ```
 */
export type ResultOf<Operation, Entity> =
  Operation extends WriteOperation<WriteKind, infer Written, UnionMember | undefined>
    ? OperationResult<Written>
    : Operation extends RetrieveOperation<object, infer Type>
      ? OperationResult<(Type extends UnionMember ? MemberEntity<Type> : Entity) | undefined>
      : OperationResult<undefined>

/**
 * The results of several operations, in order.
 *
 * @example
 * ```ts
 * // of [Operation.insert(jeff), Operation.delete(ben)]
 * type A = ResultsOf<typeof operations, Customer>
 * // readonly [OperationResult<Customer>, OperationResult<undefined>]
 * ```
 */
export type ResultsOf<Operations extends readonly unknown[], Entity> = {
  readonly [Index in keyof Operations]: ResultOf<Operations[Index], Entity>
}

/**
 * Makes operations: see {@link Operation}. For the table of a union each method takes the type before the
 * entity, where an object fits more than one type.
 */
export interface OperationFactories {
  /** Makes an insert of an entity of a type of a union. */
  insert<Type extends UnionMember>(
    type: Type,
    entity: MemberInput<Type>,
  ): WriteOperation<'insert', MemberInput<Type>, Type>
  /** Makes the operation of {@link Table.insert}. */
  insert<Entity extends object>(entity: Entity): WriteOperation<'insert', Entity>
  /** Makes a merge of an entity of a type of a union. */
  merge<Type extends UnionMember>(
    type: Type,
    entity: MemberEntity<Type> | ProjectionOf<MemberEntity<Type>>,
    options?: ChangeOptions,
  ): WriteOperation<'merge', MemberEntity<Type> | ProjectionOf<MemberEntity<Type>>, Type>
  /**
   * Makes the operation of {@link Table.merge}, which sends what has changed when it is executed.
   *
   * @param entity - the entity, or a row of a query with `select`
   * @param options - `etag`, by default the entity's own
   */
  merge<Entity extends object>(
    entity: Entity,
    options?: ChangeOptions,
  ): WriteOperation<'merge', Entity>
  /** Makes a replace of an entity of a type of a union. */
  replace<Type extends UnionMember>(
    type: Type,
    entity: MemberEntity<Type> | MemberInput<Type>,
    options?: ChangeOptions,
  ): WriteOperation<'replace', MemberEntity<Type> | MemberInput<Type>, Type>
  /**
   * Makes the operation of {@link Table.replace}.
   *
   * @param entity - the entity
   * @param options - `etag`, by default the entity's own
   */
  replace<Entity extends object>(
    entity: Entity,
    options?: ChangeOptions,
  ): WriteOperation<'replace', Entity>
  /** Makes an insertOrMerge of an entity of a type of a union. */
  insertOrMerge<Type extends UnionMember>(
    type: Type,
    entity: MemberEntity<Type> | MemberInput<Type>,
  ): WriteOperation<'insertOrMerge', MemberEntity<Type> | MemberInput<Type>, Type>
  /** Makes the operation of {@link Table.insertOrMerge}. */
  insertOrMerge<Entity extends object>(entity: Entity): WriteOperation<'insertOrMerge', Entity>
  /** Makes an insertOrReplace of an entity of a type of a union. */
  insertOrReplace<Type extends UnionMember>(
    type: Type,
    entity: MemberEntity<Type> | MemberInput<Type>,
  ): WriteOperation<'insertOrReplace', MemberEntity<Type> | MemberInput<Type>, Type>
  /** Makes the operation of {@link Table.insertOrReplace}. */
  insertOrReplace<Entity extends object>(entity: Entity): WriteOperation<'insertOrReplace', Entity>
  /** Makes a delete of an entity of a type of a union. */
  delete<
    Type extends UnionMember,
    const Target extends MemberEntity<Type> | ProjectionOf<MemberEntity<Type>> | MemberKey<Type>,
  >(type: Type, target: Target, options?: ChangeOptions): DeleteOperation<Target & object, Type>
  /**
   * Makes the operation of {@link Table.delete}.
   *
   * @param target - the entity, or its key
   * @param options - `etag`, by default the entity's own
   */
  delete<const Target extends object>(
    target: Target,
    options?: ChangeOptions,
  ): DeleteOperation<Target>
  /**
   * Makes the operation of {@link Table.find}: a missing entity is not an error.
   *
   * @param partitionKey - PartitionKey
   * @param rowKey - RowKey
   */
  retrieve(partitionKey: string, rowKey: string): RetrieveOperation<EntityTarget>
  /** Makes a retrieve of an entity of a type of a union. */
  retrieve<Type extends UnionMember>(
    type: Type,
    target: MemberKey<Type>,
  ): RetrieveOperation<MemberKey<Type>, Type>
  /**
   * Makes the operation of {@link Table.find}: a missing entity is not an error.
   *
   * @param target - the properties that make up the key
   */
  retrieve<Target extends object>(target: Target): RetrieveOperation<Target>
}

/**
 * Makes operations as values that you can store and pass on. {@link Table.execute} executes a value any
 * number of times, alone or with others in one transaction. A value holds the entity itself, so an
 * execution writes the entity as it is then.
 *
 * @example
 * ```ts
 * const heartbeat = Operation.merge(worker)
 * worker.seen = new Date()
 * await workers.execute(heartbeat)
 * worker.seen = new Date()
 * await workers.execute(heartbeat) // writes the new time, with the new ETag
 * ```
 */
export const Operation: OperationFactories = /* @__PURE__ */ Object.freeze({
  insert: (...given: Given) => writing('insert', given),
  merge: (...given: Given) => writing('merge', given),
  replace: (...given: Given) => writing('replace', given),
  insertOrMerge: (...given: Given) => writing('insertOrMerge', given),
  insertOrReplace: (...given: Given) => writing('insertOrReplace', given),
  delete(...given: Given) {
    const { type, first, options } = partsOf(given)
    const etag = givenEtag(options, 'delete', 'Operation.delete')
    return Object.freeze({ kind: 'delete', ...(type && { type }), target: first, etag })
  },
  retrieve(given: object | string, second?: object | string) {
    const isTyped = isClassOrModel(given)
    // Text alone is not a key; the table that executes the operation rejects it.
    const target = isTyped || second === undefined ? (second ?? given) : [given, second]
    return Object.freeze({ kind: 'retrieve', ...(isTyped && { type: given }), target })
  },
}) as unknown as OperationFactories // its overloads

/** The arguments of a factory or a batch: a type in front, if the caller gives it. */
export type Given = readonly [
  typeOrEntity: object,
  entityOrOptions?: object | undefined,
  options?: object | undefined,
]

function writing(kind: WriteKind, given: Given): object {
  const { type, first, options } = partsOf(given)
  return Object.freeze({
    kind,
    ...(type && { type }),
    entity: first,
    etag: givenEtag(options, kind, `Operation.${kind}`),
  })
}

/** Separates the type from the other arguments. */
export function partsOf([first, second, third]: Given): {
  readonly type?: UnionMember
  readonly first: object | undefined
  readonly options: ChangeOptions | undefined
} {
  if (!isClassOrModel(first)) return { first, options: second }
  return { type: first, first: second, options: third }
}
