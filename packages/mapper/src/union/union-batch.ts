import type { DynamicEntity } from '@rowkey/odata'
import type { ProjectionOf } from '@rowkey/query'
import type { MemberEntity, MemberInput, MemberKey, UnionMember } from '../model/entity-of.ts'
import type { ChangeOptions } from '../options/write-options.ts'
import type { EntityTarget } from '../rows/entity-target.ts'
import { Batch } from '../writes/batch.ts'
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
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: a batch of any table accepts a type; only these say so
export class UnionBatch<
  Member extends UnionMember,
  Other extends DynamicEntity = never,
> extends Batch<RowOf<Member, Other>, InputTo<Member, Other>, MemberKey<Member>> {}

export interface UnionBatch<Member extends UnionMember, Other extends DynamicEntity = never> {
  /** Adds {@link Table.insert} of an entity of the type. */
  insert<Type extends Member>(type: Type, entity: MemberInput<Type>): this
  /** Adds {@link Table.insert}. */
  insert(entity: MemberInput<Member> | Other): this

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

  /** Adds {@link Table.replace} of an entity of the type. */
  replace<Type extends Member>(
    type: Type,
    entity: MemberEntity<Type> | MemberInput<Type>,
    options?: ChangeOptions,
  ): this
  /** Adds {@link Table.replace}. */
  replace(entity: MemberEntity<Member> | MemberInput<Member> | Other, options?: ChangeOptions): this

  /** Adds {@link Table.insertOrMerge} of an entity of the type. */
  insertOrMerge<Type extends Member>(
    type: Type,
    entity: MemberEntity<Type> | MemberInput<Type>,
  ): this
  /** Adds {@link Table.insertOrMerge}. */
  insertOrMerge(entity: MemberEntity<Member> | MemberInput<Member> | Other): this

  /** Adds {@link Table.insertOrReplace} of an entity of the type. */
  insertOrReplace<Type extends Member>(
    type: Type,
    entity: MemberEntity<Type> | MemberInput<Type>,
  ): this
  /** Adds {@link Table.insertOrReplace}. */
  insertOrReplace(entity: MemberEntity<Member> | MemberInput<Member> | Other): this

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

  /** Adds {@link Batch.retrieve} of an entity of the type. */
  retrieve<Type extends Member>(type: Type, target: MemberKey<Type>): this
  /** Adds a read of one entity, which must be the only part of the batch; see {@link Batch.retrieve}. */
  retrieve(target: EntityTarget | MemberKey<Member>): this
}
