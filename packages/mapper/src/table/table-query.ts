import type { DynamicEntity } from '@rowkey/odata'
import type { BoundQuery, DynamicShape, QueryShape } from '@rowkey/query'
import type { CallOptions } from '@rowkey/rest'

/**
 * What the queries of a table may ask about: a DynamicEntity has properties of any name, and of several
 * types it is what all of them have.
 */
export type TableShape<Entity> = [Entity] extends [DynamicEntity]
  ? DynamicShape
  : QueryShape<CommonMembers<Exclude<Entity, DynamicEntity>>>

/**
 * The members that all types of a union have.
 *
 * @example
 * ```ts
 * type A = CommonMembers<{ id: string; name: string } | { id: string; no: number }> // { id: string }
 * ```
 */
type CommonMembers<Entity> = Pick<Entity, keyof Entity>

/** The query of a table: see {@link Table.query}. */
export type TableQuery<Entity> = BoundQuery<Entity, Entity, TableShape<Entity>, CallOptions>
