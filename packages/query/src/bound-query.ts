import type { Selection } from './projection.ts'
import { QueryBuilder } from './query-builder.ts'
import type { DynamicQueryModel, QueryModel } from './query-model.ts'
import { type QueryNode, queryNode, withChange } from './query-node.ts'
import { queryPages } from './query-pages.ts'
import type { DynamicShape, PropertyOf, QueryShape } from './query-shape.ts'
import type { PageStart, QueryOptions, QueryPage, QuerySource } from './query-source.ts'

/**
 * A query that can be run. It is itself an async iterable of its rows; each `for await` runs it anew,
 * fetches a page when the loop gets there, and asks for nothing more once the loop is left.
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
  >
  extends QueryBuilder<Shape>
  implements AsyncIterable<Row>
{
  /** Where the rows come from. */
  protected readonly source: QuerySource<Row, Options>

  /**
   * @param node - everything said so far
   * @param source - where the rows come from; see {@link bindQuery}
   */
  constructor(node: QueryNode, source: QuerySource<Row, Options>) {
    super(node)
    this.source = source
  }

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
    const source = this.source as QuerySource<unknown, Options>
    return new BoundQuery(
      this.selected(names),
      source as QuerySource<Selection<Entity, Shape, Name>, Options>,
    )
  }

  /** Runs the query and gives its rows one by one, over all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const { items } of this.byPage()) {
      for (const row of items) yield row
    }
  }

  /**
   * Runs the query page by page. Pages may be short or empty though more follow.
   *
   * Each page's token can be stored and given to a later run of the same query, which then goes on
   * right after the page's last row; `.take` counts afresh in every run.
   *
   * @param options - where to begin, and what every run takes
   *
   * @example
   * ```ts
   * const query = customers.query().where({ lastName: 'Smith' }).pageSize(100)
   * for await (const { items, continuationToken } of query.byPage({ continuationToken: saved })) {
   *   await show(items)
   *   saved = continuationToken // after a crash, go on from here
   * }
   * ```
   */
  byPage(options?: Options & PageStart): AsyncGenerator<QueryPage<Row>, void, undefined> {
    const { continuationToken, ...rest }: QueryOptions & PageStart = options ?? {}
    // What is left are the options that the source named, none of which it may require.
    return queryPages(this.node, this.source, continuationToken, rest as Options)
  }

  /**
   * Runs the query and gathers all its rows.
   *
   * @example
   * ```ts
   * const smiths = await customers.query().where({ lastName: 'Smith' }).toArray()
   * ```
   */
  async toArray(options?: Options): Promise<Row[]> {
    const rows: Row[] = []
    for await (const { items } of this.byPage(options)) {
      for (const row of items) rows.push(row)
    }
    return rows
  }

  /**
   * The first row, or `undefined` when there is none. Asks for one row, over as many empty pages as
   * come.
   *
   * @example
   * ```ts
   * const someone = await customers.query().where({ lastName: 'Smith' }).first() // $top=1
   * ```
   */
  async first(options?: Options): Promise<Row | undefined> {
    const one = this.over(withChange(this.node, { take: 1 }))
    for await (const { items } of one.byPage(options)) {
      if (items.length > 0) return items[0]
    }
    return undefined
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
  source: QuerySource<Entity, Options>,
): BoundQuery<Entity, Entity, DynamicShape, Options>
export function bindQuery<Entity, Options extends QueryOptions = QueryOptions>(
  model: QueryModel,
  source: QuerySource<Entity, Options>,
): BoundQuery<Entity, Entity, QueryShape<Entity>, Options>
export function bindQuery<Entity, Options extends QueryOptions>(
  model: QueryModel,
  source: QuerySource<Entity, Options>,
): BoundQuery<Entity, Entity, QueryShape<Entity>, Options> {
  return new BoundQuery(queryNode(model), source)
}
