import type { DynamicEntity } from '@rowkey/odata'
import type { TableService } from '@rowkey/rest'
import type { MemberEntity, MemberInput, UnionMember } from '../model/entity-of.ts'
import type { AccountOptions, TableOptions } from '../options/table-options.ts'
import type { UnionType } from './union-type.ts'

declare const TYPES: unique symbol

/** The parts of a union. */
export interface UnionTypes {
  /** The name in messages: `Customer | Order`. */
  readonly title: string
  /** The types, in the caller's order. */
  readonly types: readonly UnionType[]
  /** The rule for rows of other types. */
  readonly unknown: UnknownRows
  /**
   * Opens a table of the union. A union brings this code itself, so that bundlers leave it out of programs
   * without one.
   *
   * @internal
   */
  readonly open: (service: TableService, options: UnionTableOptions) => { readonly name: string }
}

/** The options of the table of a union; its name is required. */
export interface UnionTableOptions extends TableOptions, AccountOptions {
  /** The name of the table. */
  readonly name: string
  /** The account that opens the table. */
  readonly opener?: object | undefined
}

/** Several types of one table, from {@link union}. */
export interface EntityUnion<Member extends UnionMember, Other extends DynamicEntity = never>
  extends UnionTypes {
  /** For the compiler only: the members, and the type of other rows. */
  readonly [TYPES]?: {
    /** The classes and models. */
    readonly member: Member
    /** The type of other rows; `never` when they are rejected. */
    readonly other: Other
  }
}

/**
 * The rule for rows of other types: `'reject'` throws a DecodeError (`UnknownType`), `'dynamic'` reads
 * them as DynamicEntity.
 */
export type UnknownRows = 'reject' | 'dynamic'

/** An entity of the table of a union. */
export type RowOf<Member extends UnionMember, Other extends DynamicEntity> =
  | MemberEntity<Member>
  | Other

/** What can be written to the table of a union. */
export type InputTo<Member extends UnionMember, Other extends DynamicEntity> =
  | MemberInput<Member>
  | Other
