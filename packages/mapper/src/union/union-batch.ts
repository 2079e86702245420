import type { DynamicEntity } from '@rowkey/odata'
import type { ProjectionOf } from '@rowkey/query'
import type { CallOptions } from '@rowkey/rest'
import type { MemberEntity, MemberInput, MemberKey, UnionMember } from '../model/entity-of.ts'
import { isClassOrModel } from '../model/to-model.ts'
import type { EntityTarget } from '../table/entity-target.ts'
import type { Batch, BatchResult } from '../table/write/batch.ts'
import type { ChangeOptions } from '../table/write/write-options.ts'
import type { TypeFinder } from './type-finder.ts'

/** The arguments of a method: an optional type, an entity or a key, and options. */
type Given = readonly [
  typeOrEntity: object,
  entityOrOptions?: object | undefined,
  options?: ChangeOptions | undefined,
]

/** A batch on a table of several types, whose objects need no type. */
type BatchOf<Member extends UnionMember, Other extends DynamicEntity> = Batch<
  MemberEntity<Member> | Other,
  MemberInput<Member> | Other,
  MemberKey<Member>
>

/**
 * A batch on a table of several types, from {@link UnionTable}. Pass the type before the entity when an
 * object fits more than one type.
 *
 * @example
 * ```ts
 * await directory.batch().insert(User, { id: 'u1' }).insert(Group, { id: 'g1' }).submit()
 * ```
 */
export class UnionBatch<Member extends UnionMember, Other extends DynamicEntity = never> {
  readonly #batch: BatchOf<Member, Other>
  readonly #types: TypeFinder

  /** @internal */
  constructor(batch: BatchOf<Member, Other>, types: TypeFinder) {
    this.#batch = batch
    this.#types = types
  }

  /** The number of changes. */
  get size(): number {
    return this.#batch.size
  }

  /**
   * How many bytes the request has: see {@link Batch.bytes}.
   *
   * @throws InputError when a change cannot be sent, for example because its key is invalid
   */
  get bytes(): number {
    return this.#batch.bytes
  }

  /** Adds {@link Table.insert} of an entity of the type. */
  insert<Type extends Member>(type: Type, entity: MemberInput<Type>): this
  /** Adds {@link Table.insert}. */
  insert(entity: MemberInput<Member> | Other): this
  insert(...given: Given): this {
    const [entity] = this.#untyped<MemberInput<Member> | Other>(given)
    this.#batch.insert(entity)
    return this
  }

  /** Adds {@link Table.merge} of an entity of the type. */
  merge<Type extends Member>(
    type: Type,
    entity: MemberEntity<Type> | ProjectionOf<MemberEntity<Type>>,
    options?: ChangeOptions,
  ): this
  /** Adds {@link Table.merge}. */
  merge(
    entity: MemberEntity<Member> | Other | ProjectionOf<MemberEntity<Member> | Other>,
    options?: ChangeOptions,
  ): this
  merge(...given: Given): this {
    const [entity, options] = this.#untyped<MemberEntity<Member> | Other>(given)
    this.#batch.merge(entity, options)
    return this
  }

  /** Adds {@link Table.replace} of an entity of the type. */
  replace<Type extends Member>(
    type: Type,
    entity: MemberEntity<Type> | MemberInput<Type>,
    options?: ChangeOptions,
  ): this
  /** Adds {@link Table.replace}. */
  replace(entity: MemberEntity<Member> | MemberInput<Member> | Other, options?: ChangeOptions): this
  replace(...given: Given): this {
    const [entity, options] = this.#untyped<MemberEntity<Member> | Other>(given)
    this.#batch.replace(entity, options)
    return this
  }

  /** Adds {@link Table.insertOrMerge} of an entity of the type. */
  insertOrMerge<Type extends Member>(
    type: Type,
    entity: MemberEntity<Type> | MemberInput<Type>,
  ): this
  /** Adds {@link Table.insertOrMerge}. */
  insertOrMerge(entity: MemberEntity<Member> | MemberInput<Member> | Other): this
  insertOrMerge(...given: Given): this {
    const [entity] = this.#untyped<MemberEntity<Member> | Other>(given)
    this.#batch.insertOrMerge(entity)
    return this
  }

  /** Adds {@link Table.insertOrReplace} of an entity of the type. */
  insertOrReplace<Type extends Member>(
    type: Type,
    entity: MemberEntity<Type> | MemberInput<Type>,
  ): this
  /** Adds {@link Table.insertOrReplace}. */
  insertOrReplace(entity: MemberEntity<Member> | MemberInput<Member> | Other): this
  insertOrReplace(...given: Given): this {
    const [entity] = this.#untyped<MemberEntity<Member> | Other>(given)
    this.#batch.insertOrReplace(entity)
    return this
  }

  /** Adds {@link Table.delete} of an entity of the type. */
  delete<Type extends Member>(
    type: Type,
    target: MemberEntity<Type> | ProjectionOf<MemberEntity<Type>> | MemberKey<Type>,
    options?: ChangeOptions,
  ): this
  /** Adds {@link Table.delete}. */
  delete(
    target:
      | MemberEntity<Member>
      | Other
      | ProjectionOf<MemberEntity<Member> | Other>
      | EntityTarget
      | MemberKey<Member>,
    options?: ChangeOptions,
  ): this
  delete(...given: Given): this {
    const [target, options] = this.#untyped<MemberKey<Member>>(given)
    this.#batch.delete(target, options)
    return this
  }

  /** Adds {@link Batch.retrieve} of an entity of the type. */
  retrieve<Type extends Member>(type: Type, target: MemberKey<Type>): this
  /** Adds a read of one entity, which must be the only part of the batch; see {@link Batch.retrieve}. */
  retrieve(target: EntityTarget | MemberKey<Member>): this
  retrieve(...given: Given): this {
    const [target] = this.#untyped<MemberKey<Member>>(given)
    this.#batch.retrieve(target)
    return this
  }

  /**
   * Sends all changes in one request: see {@link Batch.submit}.
   *
   * @returns the results, in the order of the changes; every written object has its new ETag
   * @throws InputError (`InvalidBatch`) for changes that a transaction cannot hold; nothing is sent then
   * @throws BatchError when the service rejected a change, and with it all; `index` is its position
   */
  async submit(options: CallOptions = {}): Promise<BatchResult<MemberEntity<Member> | Other>[]> {
    return this.#batch.submit(options)
  }

  /** Returns the arguments without the type, and fixes the type of the object. */
  #untyped<First extends object>(given: Given): [first: First, options: ChangeOptions | undefined] {
    const [first, second, third] = given
    if (!isClassOrModel(first)) return [first as First, second as ChangeOptions | undefined]
    this.#types.assign(first, second as First)
    return [second as First, third]
  }
}
