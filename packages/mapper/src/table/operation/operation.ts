import type { ProjectionOf } from '@rowkey/query'
import { checkOptions } from '@rowkey/rest'
import type { MemberEntity, MemberInput, MemberKey, UnionMember } from '../../model/entity-of.ts'
import { isClassOrModel } from '../../model/to-model.ts'
import type { EntityTarget } from '../entity-target.ts'
import type { ChangeOptions } from '../write/batch.ts'
import type {
  DeleteOperation,
  RetrieveOperation,
  WriteKind,
  WriteOperation,
} from './entity-operation.ts'

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
   * @param target - the properties that the key is made of
   */
  retrieve<Target extends object>(target: Target): RetrieveOperation<Target>
}

/**
 * Makes operations as values: kept, passed on, and executed by {@link Table.execute} any number of times,
 * alone or several in one transaction. A value holds the entity itself, so an execution writes the entity
 * as it is then.
 *
 * @example
 * ```ts
 * const heartbeat = Operation.merge(worker)
 * worker.seen = new Date()
 * await workers.execute(heartbeat)
 * worker.seen = new Date()
 * await workers.execute(heartbeat) // writes the new time, by the new ETag
 * ```
 */
export const Operation: OperationFactories = Object.freeze({
  insert: (...given: Given) => writing('insert', given),
  merge: (...given: Given) => writing('merge', given),
  replace: (...given: Given) => writing('replace', given),
  insertOrMerge: (...given: Given) => writing('insertOrMerge', given),
  insertOrReplace: (...given: Given) => writing('insertOrReplace', given),
  delete(...given: Given) {
    const { type, first, options } = partsOf(given)
    const etag = etagIn(options, 'delete')
    return Object.freeze({ kind: 'delete', ...type, target: first, etag })
  },
  retrieve(given: object | string, second?: object | string) {
    const isTyped = isClassOrModel(given)
    // A text alone is not a key; the table that executes it says so.
    const target = isTyped || second === undefined ? (second ?? given) : [given, second]
    return Object.freeze({ kind: 'retrieve', ...(isTyped && { type: given }), target })
  },
}) as unknown as OperationFactories // its overloads

/** The arguments of a factory: a type in front, if the caller gives it. */
type Given = readonly [typeOrEntity: object, entityOrOptions?: object, options?: object]

function writing(kind: WriteKind, given: Given): object {
  const { type, first, options } = partsOf(given)
  return Object.freeze({ kind, ...type, entity: first, etag: etagIn(options, kind) })
}

function partsOf([first, second, third]: Given): {
  readonly type?: { readonly type: UnionMember }
  readonly first: object | undefined
  readonly options: ChangeOptions | undefined
} {
  if (!isClassOrModel(first)) return { first, options: second }
  return { type: { type: first }, first: second, options: third }
}

/** Inserts and upserts have no condition. */
const CONDITIONAL: ReadonlySet<string> = new Set(['merge', 'replace', 'delete'])

function etagIn(options: ChangeOptions = {}, kind: string): string | undefined {
  checkOptions(options, CONDITIONAL.has(kind) ? ['etag'] : [], `Operation.${kind}`)
  return options.etag
}
