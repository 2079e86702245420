import type { DynamicEntity } from '@rowkey/odata'
import type { DynamicShape, Query, QueryShape } from '@rowkey/query'
import type { CallOptions } from '@rowkey/rest'

/**
 * What the queries of a table may ask about: a DynamicEntity has properties of any name, and of several
 * types it is what all of them have.
 *
 * @example
 * ```ts
 * type A = TableShape<{ id: string; name: string } | { id: string; no: number }> // { id: string }
 * ```
 */
export type TableShape<Entity> = [Entity] extends [DynamicEntity]
  ? DynamicShape
  : QueryShape<Pick<Exclude<Entity, DynamicEntity>, keyof Exclude<Entity, DynamicEntity>>>

/** The query of a table: see {@link Table.query}. */
export type TableQuery<Entity> = Query<Entity, Entity, TableShape<Entity>, CallOptions>
