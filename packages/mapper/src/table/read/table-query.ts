import type { DynamicEntity } from '@rowkey/odata'
import type { DynamicShape, Query, QueryShape } from '@rowkey/query'
import type { CallOptions } from '@rowkey/rest'

/**
 * The properties that queries of a table can use: any name for a DynamicEntity, and the common properties
 * for several types.
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
