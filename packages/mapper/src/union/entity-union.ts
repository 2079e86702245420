import type { DynamicEntity } from '@rowkey/odata'
import type { UnionMember } from '../model/entity-of.ts'
import type { UnionType } from './union-type.ts'

declare const TYPES: unique symbol

/** A union at run time. */
export interface UnionTypes {
  /** The name in messages: `Customer | Order`. */
  readonly title: string
  /** The types, in the order they were given. */
  readonly types: readonly UnionType[]
  /** What reads rows of other types. */
  readonly unknown: UnknownRows
}

/** Several types of one table, from {@link union}. */
export interface EntityUnion<Member extends UnionMember, Other extends DynamicEntity = never>
  extends UnionTypes {
  /** For the compiler only: the members, and the type of other rows. */
  readonly [TYPES]?: {
    /** The classes and models. */
    readonly member: Member
    /** The type of rows of other types; `never` when they are rejected. */
    readonly other: Other
  }
}

/** How rows of other types are read: as a DecodeError (`UnknownType`), or as DynamicEntity. */
export type UnknownRows = 'refuse' | 'dynamic'
