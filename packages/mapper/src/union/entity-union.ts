import type { DynamicEntity } from '@rowkey/odata'
import type { EntityClass } from '../model/entity-class.ts'
import type { EntityModel, KeyMembers } from '../model/entity-model.ts'
import type { UnionType } from './union-type.ts'

/** What a union is made of: decorated classes, and models from {@link defineEntity}. */
export type UnionMember = EntityClass<object> | EntityModel<object, object, object>

/**
 * What an entity of a member is, once it was read or written.
 *
 * @example
 * ```ts
 * type A = MemberEntity<typeof Customer> // Customer
 * ```
 */
export type MemberEntity<Member> =
  Member extends EntityModel<infer Entity, infer _Input, infer _Key>
    ? Entity
    : Member extends EntityClass<infer Entity>
      ? Entity
      : never

/**
 * What may be given to be written as an entity of a member: what has a default may be left out.
 *
 * @example
 * ```ts
 * type A = MemberInput<typeof Order> // { id: string; lines?: number }
 * ```
 */
export type MemberInput<Member> =
  Member extends EntityModel<infer _Entity, infer Input, infer _Key>
    ? Input
    : Member extends EntityClass<infer Entity>
      ? Entity
      : never

/**
 * The properties that name an entity of a member.
 *
 * @example
 * ```ts
 * type A = MemberKey<typeof Order> // { customerId: string; orderNo: number }
 * ```
 */
export type MemberKey<Member> =
  Member extends EntityModel<infer _Entity, infer _Input, infer Key>
    ? Key
    : Member extends EntityClass<infer Entity>
      ? KeyMembers<Entity>
      : never

declare const TYPES: unique symbol

/** What a union is at run time. */
export interface UnionTypes {
  /** What messages call it: `Customer | Order`. */
  readonly title: string
  /** The types, in the order they were given. */
  readonly types: readonly UnionType[]
  /** What is done with rows of other types. */
  readonly unknown: UnknownRows
}

/** Several types of one table, from {@link union}. */
export interface EntityUnion<Member extends UnionMember, Other extends DynamicEntity = never>
  extends UnionTypes {
  /** Never there at run time: the members, and what other rows are read as. */
  readonly [TYPES]?: {
    /** The classes and models. */
    readonly member: Member
    /** What rows of other types are read as; `never` when they are refused. */
    readonly other: Other
  }
}

/** What is done with rows of none of the types: an {@link UnknownTypeError}, or a DynamicEntity. */
export type UnknownRows = 'refuse' | 'dynamic'
