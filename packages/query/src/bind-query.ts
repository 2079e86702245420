import type { QueryBuilder } from './compile/query-builder.ts'
import { invalidQuery } from './errors/invalid-query.ts'
import type { DynamicQueryModel, QueryModel } from './model/query-model.ts'
import type { DynamicShape, QueryShape } from './model/query-shape.ts'
import { queryNode } from './node/query-node.ts'
import type { ScanPolicy } from './plan/filter-plan.ts'
import { Query } from './query.ts'
import type { AnyQuerySource, QueryOptions } from './source/query-source.ts'

/**
 * Begins a query that runs against a source.
 *
 * @param model - what queries can use
 * @param source - where the rows come from; its type gives theirs
 * @param scans - how much the query may read without an opt-in
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
): Query<Entity, Entity, DynamicShape, Options>
export function bindQuery<Entity, Options extends QueryOptions = QueryOptions>(
  model: QueryModel,
  source: AnyQuerySource<Entity, Options>,
  scans?: ScanPolicy,
): Query<Entity, Entity, QueryShape<Entity>, Options>
export function bindQuery<Entity, Options extends QueryOptions>(
  model: QueryModel,
  source: AnyQuerySource<Entity, Options>,
  scans?: ScanPolicy,
): Query<Entity, Entity, QueryShape<Entity>, Options> {
  return new Query(queryNode(model, scans), source)
}

/**
 * Begins a query that compiles for any client; {@link bindQuery} makes one that runs.
 *
 * @param model - what queries can use, from {@link dynamicQueryModel} or a mapped class
 *
 * @example
 * ```ts
 * const { filter } = queryOf<Customer>(model).where({ lastName: 'Smith' }).compile()
 * // PartitionKey eq 'Smith'
 * ```
 */
export function queryOf<Entity = DynamicShape>(
  model: QueryModel,
): QueryBuilder<QueryShape<Entity>> {
  const onlyCompiles = (): never => {
    throw invalidQuery(
      `The query on ${model.name} comes from queryOf, which only compiles. Make it with bindQuery to run it.`,
      { model: model.name },
    )
  }
  return new Query<Entity>(queryNode(model), { beginRun: onlyCompiles, fetchPage: onlyCompiles })
}
