import { type LocalCondition, withLocalFilter } from './local-filter.ts'
import type { Selection } from './projection.ts'
import type { DynamicQueryModel, QueryModel } from './query-model.ts'
import { type QueryNode, queryNode } from './query-node.ts'
import type { DynamicShape, PropertyOf, QueryShape } from './query-shape.ts'
import type { QueryOptions } from './query-source.ts'
import type { AnyQuerySource } from './raw-query-source.ts'
import { RunnableQuery } from './runnable-query.ts'

/**
 * A query that can be run. It is itself an async iterable of its rows; each `for await` runs it anew,
 * fetches the next page while the rows of one are consumed, and asks for nothing more once the loop
 * is left.
 *
 * Running it throws {@link TableScanError} when it says nothing about PartitionKey, before anything is
 * sent.
 *
 * @example
 * ```ts
 * for await (const customer of customers.query().where({ lastName: 'Smith' }).take(10)) {
 *   console.log(customer.firstName) // $filter=PartitionKey eq 'Smith'&$top=10
 * }
 * ```
 */
export class BoundQuery<
  Entity,
  Row = Entity,
  Shape = QueryShape<Entity>,
  Options extends QueryOptions = QueryOptions,
> extends RunnableQuery<Row, Shape, Options> {
  /**
   * Reads only some properties, and narrows the type of the rows to them. PartitionKey, RowKey,
   * Timestamp and ETag are always read with them, so that a row can still be merged or deleted; name
   * the key properties too to use them in code.
   *
   * @param names - one property or more, as the class or model names them
   * @throws {@link QueryError} for a property that is not stored, and when there is none at all
   *
   * @example
   * ```ts
   * const rows = await customers.query().where({ lastName: 'Smith' }).select('points').toArray()
   * rows[0]?.points // bigint | undefined; rows[0]?.since does not compile
   * // $select=PartitionKey,RowKey,Timestamp,points
   * ```
   */
  override select<Name extends PropertyOf<Shape>>(
    ...names: [Name, ...Name[]]
  ): BoundQuery<Entity, Selection<Entity, Shape, Name>, Shape, Options> {
    // The same source: what it reads for a projection has the selected properties and no others.
    const source = this.source as AnyQuerySource<unknown, Options>
    return new BoundQuery(
      this.selected(names),
      source as AnyQuerySource<Selection<Entity, Shape, Name>, Options>,
    )
  }

  /**
   * Keeps only some of the rows that were read: for what the service cannot do, such as text within
   * text or capitals that do not count. It saves nothing: the service reads, sends and bills all that
   * `.where` matches, so put there what can be there.
   *
   * `.take` counts the rows that are kept, and no longer limits what a page holds. Said twice, both
   * must hold. Say it after `.select`, whose rows it tests.
   *
   * @param condition - a function that gives `true` for rows to keep; or an object of properties or a
   * filter, as `.where` takes them, which are true of a row when the service would say so
   * @throws {@link QueryError} for what is neither, and for a property that `.select` left out; when
   * the query runs, for a function that gives no boolean
   *
   * @example
   * ```ts
   * const found = await customers.query()
   *   .where({ lastName: 'Smith' }) // PartitionKey eq 'Smith'
   *   .filterLocally((c) => c.customerEmailAddress?.endsWith('@example.com') ?? false)
   *   .take(10) // no $top: ten that end so, however many are read for it
   *   .toArray()
   * ```
   */
  filterLocally(condition: LocalCondition<Row, Shape>): this {
    return this.over(withLocalFilter(this.node, condition))
  }

  protected override over(node: QueryNode): this {
    // `this` cannot be constructed by name, and nothing extends this class.
    return new BoundQuery(node, this.source) as this
  }
}

/**
 * Begins a query that runs against a source.
 *
 * @param model - what can be asked about
 * @param source - where the rows come from; its type says what they are
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
): BoundQuery<Entity, Entity, DynamicShape, Options>
export function bindQuery<Entity, Options extends QueryOptions = QueryOptions>(
  model: QueryModel,
  source: AnyQuerySource<Entity, Options>,
): BoundQuery<Entity, Entity, QueryShape<Entity>, Options>
export function bindQuery<Entity, Options extends QueryOptions>(
  model: QueryModel,
  source: AnyQuerySource<Entity, Options>,
): BoundQuery<Entity, Entity, QueryShape<Entity>, Options> {
  return new BoundQuery(queryNode(model), source)
}
