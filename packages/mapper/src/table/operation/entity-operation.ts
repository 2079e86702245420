import type { ProjectionOf } from '@rowkey/query'
import type { MemberEntity, MemberInput, MemberKey, UnionMember } from '../../model/entity-of.ts'
import type { EntityTarget } from '../entity-target.ts'

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
  /** What is written, as it is when the operation is executed. */
  readonly entity: Entity
  /** The ETag to go by; `undefined` for the one that the entity carries then. */
  readonly etag: string | undefined
}

/** The ways to write an entity. */
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
  /** The ETag to go by; `undefined` for the one that the entity carries then. */
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
 * The operations that a table of such entities executes.
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
  | WriteOperation<'insert', Input>
  | WriteOperation<'merge', Entity | ProjectionOf<Entity>>
  | WriteOperation<'replace' | 'insertOrMerge' | 'insertOrReplace', Entity | Input>
  | DeleteOperation<Entity | ProjectionOf<Entity> | EntityTarget | Key>
  | RetrieveOperation<EntityTarget | Key>

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
