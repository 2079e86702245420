import { BoundQuery } from './bound-query.ts'
import { locatedSource } from './located-source.ts'
import type { DynamicQueryModel, QueryModel } from './query-model.ts'
import { queryNode } from './query-node.ts'
import type { DynamicShape, QueryShape } from './query-shape.ts'
import type { QueryOptions } from './query-source.ts'
import type { AnyQuerySource } from './raw-query-source.ts'
import type { ScanPolicy } from './scan-policy.ts'

/**
 * Begins a query that runs against a source.
 *
 * @param model - what can be asked about
 * @param source - where the rows come from; its type says what they are
 * @param scans - how much it may read without asking for leave
 *
 * @example
 * ```ts
 * const query = bindQuery(dynamicQueryModel('people'), source).where({ partitionKey: 'Smith' })
 * for await (const row of query) console.log(row)
 * ```
 */
export function bindQuery<Entity, Options extends QueryOptions = QueryOptions>(
  model: DynamicQueryModel,
  source: AnyQuerySource<Entity, Options>,
  scans?: ScanPolicy,
): BoundQuery<Entity, Entity, DynamicShape, Options>
export function bindQuery<Entity, Options extends QueryOptions = QueryOptions>(
  model: QueryModel,
  source: AnyQuerySource<Entity, Options>,
  scans?: ScanPolicy,
): BoundQuery<Entity, Entity, QueryShape<Entity>, Options>
export function bindQuery<Entity, Options extends QueryOptions>(
  model: QueryModel,
  source: AnyQuerySource<Entity, Options>,
  scans?: ScanPolicy,
): BoundQuery<Entity, Entity, QueryShape<Entity>, Options> {
  return new BoundQuery(queryNode(model, scans), locatedSource(source))
}
