import type { EntityResolver } from './entity-resolver.ts'
import { type LocalCondition, withLocalFilter } from './local-filter.ts'
import { parallelNode, parallelSettings, partitionRanges } from './parallel/parallel-node.ts'
import type { ParallelOptions, ParallelRanges } from './parallel/parallel-options.ts'
import type { Resolved, Selection } from './projection.ts'
import { type QueryNode, withChange } from './query-node.ts'
import type { PropertyOf, QueryShape } from './query-shape.ts'
import type { QueryOptions } from './query-source.ts'
import type { AnyQuerySource } from './raw-query-source.ts'
import { resolvedNode, resolvedSource } from './resolved-source.ts'
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
    const source: AnyQuerySource<unknown, Options> = this.source
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

  /**
   * Makes something else of each row: a part of it, or an object of the class that its key tells, in a
   * table that holds several. Nothing else is sent for it. The last call counts; a function given to
   * `.filterLocally` tests entities when it is said before, and what was made of them when after.
   *
   * @param resolver - called with the parts of each row, synchronously. What it returns is passed on
   * as it is, `undefined` and `null` too
   * @throws {@link QueryError} when it is no function, or the source has no entities; when the query
   * runs, {@link ResolverError} with the key of the row when the resolver throws
   *
   * @example
   * ```ts
   * const names = await customers.query()
   *   .where({ lastName: 'Smith' }) // PartitionKey eq 'Smith'
   *   .resolve((lastName, firstName) => `${firstName} ${lastName}`)
   *   .toArray() // string[]
   * ```
   */
  resolve<Result>(
    resolver: EntityResolver<Result>,
  ): BoundQuery<Resolved<Result>, Result, Shape, Options> {
    const source = resolvedSource(this.node, this.source, resolver)
    return new BoundQuery(resolvedNode(this.node), source)
  }

  /**
   * Asks some partitions at once, in a query for each. Rows come in the order of their keys, as from
   * one query, or as they arrive; `.take` limits all of them together; when one query fails, or the
   * loop is left, the others end. There are no pages to resume from.
   *
   * @param partitionKeys - PartitionKeys as they are stored, each once; none gives no rows, and sends
   * nothing
   * @param options - how many at once, and in what order
   * @throws {@link QueryError} for options that there are not
   * @throws EntityKeyError for what cannot be a PartitionKey
   *
   * @example
   * ```ts
   * const open = await orders.query()
   *   .where({ state: 'open' })
   *   .inPartitions(['c1', 'c2', 'c3'], { concurrency: 2 })
   *   .toArray() // PartitionKey eq 'c1' and state eq 'open', and so on
   * ```
   */
  inPartitions(partitionKeys: readonly string[], options: ParallelOptions = {}): this {
    const parallel = { ranges: partitionRanges(partitionKeys), ...parallelSettings(options) }
    return this.over(withChange(this.node, { parallel }))
  }

  /**
   * Asks several questions at once, as {@link BoundQuery.inPartitions} does for partitions: ranges of
   * one large partition, say, or of the table. A row that is in two of them comes once in the order of
   * keys, and twice as rows arrive. The last call counts.
   *
   * @param queries - the condition of each query, beside what `.where` says of all; how many at once,
   * and in what order
   * @throws {@link QueryError} for a condition that is none, and options that there are not
   *
   * @example
   * ```ts
   * customers.query().where({ lastName: 'Smith' }).parallel({
   *   ranges: [{ firstName: lt('M') }, { firstName: ge('M') }],
   *   order: 'arrival',
   * }) // PartitionKey eq 'Smith' and RowKey lt 'M'; PartitionKey eq 'Smith' and RowKey ge 'M'
   * ```
   */
  parallel(queries: ParallelRanges<Shape>): this {
    const parallel = parallelNode(this.node.model, queries)
    return this.over(withChange(this.node, { parallel }))
  }

  protected override over(node: QueryNode): this {
    // `this` cannot be constructed by name, and nothing extends this class.
    return new BoundQuery(node, this.source) as this
  }
}
