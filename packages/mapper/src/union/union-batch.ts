import type { DynamicEntity } from '@rowkey/odata'
import type { ProjectionOf } from '@rowkey/query'
import type { MemberEntity, MemberInput, MemberKey, UnionMember } from '../model/entity-of.ts'
import type { ChangeOptions } from '../options/write-options.ts'
import type { EntityTarget } from '../table/entity-target.ts'
import type { Given } from '../table/operation/operation.ts'
import { Batch } from '../table/write/batch.ts'
import type { InputTo, RowOf } from './entity-union.ts'

/**
 * A batch on a table of several types, from {@link UnionTable}. Pass the type before the entity when an
 * object fits more than one type.
 *
 * @example
 * ```ts
 * await directory.batch().insert(User, { id: 'u1' }).insert(Group, { id: 'g1' }).submit()
 * ```
 */
export class UnionBatch<
  Member extends UnionMember,
  Other extends DynamicEntity = never,
> extends Batch<RowOf<Member, Other>, InputTo<Member, Other>, MemberKey<Member>> {
  /** Adds {@link Table.insert} of an entity of the type. */
  override insert<Type extends Member>(type: Type, entity: MemberInput<Type>): this
  /** Adds {@link Table.insert}. */
  override insert(entity: MemberInput<Member> | Other): this
  override insert(...given: Given): this {
    return this.add('insert', given)
  }

  /** Adds {@link Table.merge} of an entity of the type. */
  override merge<Type extends Member>(
    type: Type,
    entity: MemberEntity<Type> | ProjectionOf<MemberEntity<Type>>,
    options?: ChangeOptions,
  ): this
  /** Adds {@link Table.merge}. */
  override merge(
    entity: MemberEntity<Member> | Other | ProjectionOf<MemberEntity<Member> | Other>,
    options?: ChangeOptions,
  ): this
  override merge(...given: Given): this {
    return this.add('merge', given)
  }

  /** Adds {@link Table.replace} of an entity of the type. */
  override replace<Type extends Member>(
    type: Type,
    entity: MemberEntity<Type> | MemberInput<Type>,
    options?: ChangeOptions,
  ): this
  /** Adds {@link Table.replace}. */
  override replace(
    entity: MemberEntity<Member> | MemberInput<Member> | Other,
    options?: ChangeOptions,
  ): this
  override replace(...given: Given): this {
    return this.add('replace', given)
  }

  /** Adds {@link Table.insertOrMerge} of an entity of the type. */
  override insertOrMerge<Type extends Member>(
    type: Type,
    entity: MemberEntity<Type> | MemberInput<Type>,
  ): this
  /** Adds {@link Table.insertOrMerge}. */
  override insertOrMerge(entity: MemberEntity<Member> | MemberInput<Member> | Other): this
  override insertOrMerge(...given: Given): this {
    return this.add('insertOrMerge', given)
  }

  /** Adds {@link Table.insertOrReplace} of an entity of the type. */
  override insertOrReplace<Type extends Member>(
    type: Type,
    entity: MemberEntity<Type> | MemberInput<Type>,
  ): this
  /** Adds {@link Table.insertOrReplace}. */
  override insertOrReplace(entity: MemberEntity<Member> | MemberInput<Member> | Other): this
  override insertOrReplace(...given: Given): this {
    return this.add('insertOrReplace', given)
  }

  /** Adds {@link Table.delete} of an entity of the type. */
  override delete<Type extends Member>(
    type: Type,
    target: MemberEntity<Type> | ProjectionOf<MemberEntity<Type>> | MemberKey<Type>,
    options?: ChangeOptions,
  ): this
  /** Adds {@link Table.delete}. */
  override delete(
    target:
      | MemberEntity<Member>
      | Other
      | ProjectionOf<MemberEntity<Member> | Other>
      | EntityTarget
      | MemberKey<Member>,
    options?: ChangeOptions,
  ): this
  override delete(...given: Given): this {
    return this.add('delete', given)
  }

  /** Adds {@link Batch.retrieve} of an entity of the type. */
  override retrieve<Type extends Member>(type: Type, target: MemberKey<Type>): this
  /** Adds a read of one entity, which must be the only part of the batch; see {@link Batch.retrieve}. */
  override retrieve(target: EntityTarget | MemberKey<Member>): this
  override retrieve(...given: Given): this {
    return this.add('retrieve', given)
  }
}
