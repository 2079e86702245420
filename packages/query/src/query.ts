import { invalidOption, type Rule, trueOrFalse, wholeNumber } from '@rowkey/odata'
import type { QueryBuilder } from './compile/query-builder.ts'
import { explainQuery, type QueryPlan } from './compile/query-plan.ts'
import { isFilterNode } from './condition/condition.ts'
import { inDeclaredTypes } from './condition/declared-types.ts'
import {
  checkFindsMissing,
  conditionFilter,
  type WhereCondition,
} from './condition/where-condition.ts'
import { checkArgument, invalidQuery } from './errors/invalid-query.ts'
import { selectNames } from './model/query-model.ts'
import type { PropertyOf, QueryShape, Resolved, Selection } from './model/query-shape.ts'
import { type LocalCondition, withLocalFilter } from './node/local-filter.ts'
import {
  type BadRowPolicy,
  badRowRule,
  type CompiledQuery,
  compileQuery,
  type EntityResolver,
  MAX_PAGE_SIZE,
  type QueryNode,
  withChange,
  withFilter,
} from './node/query-node.ts'
import {
  type ParallelOptions,
  type ParallelRanges,
  parallelNode,
  partitionsNode,
} from './parallel/parallel-node.ts'
import { freer } from './plan/filter-plan.ts'
import { CALLS_AT_ONCE, forEachRow, type RowHandler } from './read/for-each-row.ts'
import { fullPage, queryPages } from './read/query-pages.ts'
import {
  allRows,
  countRows,
  fetchedRows,
  firstRow,
  firstRows,
  streamedRows,
} from './read/query-rows.ts'
import type { RunnableQuery } from './read/runnable-query.ts'
import { wholeCall, wholeRun } from './read/whole-run.ts'
import {
  type AnyQuerySource,
  type FullPage,
  type HandlerOptions,
  isRawSource,
  type PageOptions,
  type PageStart,
  type QueryOptions,
  type QueryPage,
  type QueryRun,
  resolvedNode,
} from './source/query-source.ts'

/**
 * A query that can run. It is itself an async iterable of its rows: each `for await` runs it again. The
 * loop fetches the next page while the rows of one are consumed, and fetches nothing more once it is left.
 *
 * Every method that refines it returns a new query and leaves this one as it is. Running it throws an
 * InputError with the code `TableScan` when it does not bound PartitionKey, before anything is sent.
 *
 * @example
 * ```ts
 * for await (const customer of customers.query().where({ lastName: 'Smith' }).take(10)) {
 *   console.log(customer.firstName) // $filter=PartitionKey eq 'Smith'&$top=10
 * }
 * ```
 */
export class Query<
  Entity,
  Row = Entity,
  Shape = QueryShape<Entity>,
  Options extends QueryOptions = QueryOptions,
> implements QueryBuilder<Shape>, RunnableQuery<Row, Options>
{
  readonly #node: QueryNode
  readonly #source: AnyQuerySource<Row, Options>

  /**
   * @param node - the parts of the query so far
   * @param source - where the rows come from
   * @internal
   */
  constructor(node: QueryNode, source: AnyQuerySource<Row, Options>) {
    this.#node = node
    this.#source = source
  }

  // What QueryBuilder documents.

  where(condition: WhereCondition<Shape>): this {
    const { model } = this.#node
    const filter = conditionFilter(model, condition)
    if (this.#source.isUnsorted) checkFindsMissing(model, filter)
    // A filter node is the caller's own text.
    const sent = isFilterNode(condition) ? filter : inDeclaredTypes(model, filter)
    return this.#with(withFilter(this.#node, sent))
  }

  take(limit: number): this {
    this.#check(limit, anyCount, 'The limit of .take')
    return this.#changed({ take: limit })
  }

  pageSize(size: number): this {
    this.#check(size, pageSizes, 'The size of .pageSize')
    return this.#changed({ pageSize: size })
  }

  allowPartitionScan(): this {
    return this.#changed({ scans: freer(this.#node.scans, 'partitionScan') })
  }

  allowTableScan(): this {
    return this.#changed({ scans: freer(this.#node.scans, 'tableScan') })
  }

  compile(): CompiledQuery {
    return compileQuery(this.#node)
  }

  explain(): QueryPlan {
    const source = this.#source
    const isUnsorted = source.isUnsorted === true
    const { checkKey } = isRawSource(source) ? source : {}
    const traits = { readsByKey: isRawSource(source), isUnsorted, checkKey }
    const plan = explainQuery(this.#node, traits)
    return source.explain?.(plan) ?? plan
  }

  /**
   * Reads only some properties, and narrows the type of the rows to them. PartitionKey, RowKey, Timestamp
   * and ETag are always read with them, so that a row can still be merged or deleted. Select the key
   * properties too to use them in code.
   *
   * @param names - one property or more, as the class or model names them
   * @throws InputError with the code `InvalidQuery` for a property that is not stored, and without a name
   *
   * @example
   * ```ts
   * const rows = await customers.query().where({ lastName: 'Smith' }).select('points').toArray()
   * rows[0]?.points // bigint | undefined; rows[0]?.since does not compile
   * // $select=PartitionKey,RowKey,Timestamp,points
   * ```
   */
  select<Name extends PropertyOf<Shape>>(
    ...names: [Name, ...Name[]]
  ): Query<Entity, Selection<Entity, Shape, Name>, Shape, Options> {
    const { model, localTests } = this.#node
    if (localTests !== undefined) {
      throw invalidQuery(
        `.select on ${model.name} comes after .filterLocally, which tests rows with all their properties. Call .select first.`,
        { model: model.name },
      )
    }
    // The rows that the source reads for a projection have only the selected properties.
    return this.#ofOtherRows(withChange(this.#node, { select: selectNames(model, names) }))
  }

  /**
   * Keeps only some of the rows that were read, by a test that the service does not have, such as text
   * within text, or text in any case. It saves nothing: the service reads, sends and bills all rows that
   * `.where` matches. Put every condition into `.where` that it can express.
   *
   * `.take` counts the rows that pass, and no longer limits what a page holds. With several calls, all
   * tests must hold. Call it after `.select`, whose rows it tests.
   *
   * @param condition - a function that returns `true` for rows to keep, or an object of properties or a
   * filter, as `.where` takes them. These match the same rows as in the service
   * @throws InputError with the code `InvalidQuery` for anything else, and for a property that `.select`
   * does not read. When the query runs, for a function that does not return a boolean
   *
   * @example
   * ```ts
   * const found = await customers.query()
   *   .where({ lastName: 'Smith' }) // PartitionKey eq 'Smith'
   *   .filterLocally((c) => c.customerEmailAddress?.endsWith('@example.com') ?? false)
   *   .take(10) // no $top: ten rows that end so, however many are read for them
   *   .toArray()
   * ```
   */
  filterLocally(condition: LocalCondition<Row, Shape>): this {
    return this.#with(withLocalFilter(this.#node, condition))
  }

  /**
   * Maps each row to any value: a part of it, or an object of the class that its key tells, in a table that
   * holds several. Nothing else is sent for it. The last call counts. A `.filterLocally` before it tests
   * entities, and one after it tests the results.
   *
   * @param resolver - called with the parts of each row, synchronously. `undefined` and `null` are passed
   * on too
   * @throws InputError with the code `InvalidQuery` when it is not a function, or the source has no
   * entities. When the query runs, DecodeError with the code `ResolverFailed` that names the row when the
   * resolver throws
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
  ): Query<Resolved<Result>, Result, Shape, Options> {
    // The resolver makes the rows of the entities of the source.
    return this.#ofOtherRows(resolvedNode(this.#node, this.#source, resolver))
  }

  /**
   * Queries some partitions at once, each by a query of its own. Rows come in the order of their keys, as
   * from one query, or as they arrive; `.take` limits all of them together; when one query fails, or the
   * loop is left, the others end. That query cannot be read by pages.
   *
   * @param partitionKeys - PartitionKeys as they are stored, each once; an empty array gives no rows and
   * sends nothing
   * @param options - how many at once, and in what order
   * @throws InputError with the code `InvalidQuery` for unknown options, and `InvalidEntityKey` for what
   * cannot be a PartitionKey
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
    return this.#changed({ parallel: partitionsNode(partitionKeys, options) })
  }

  /**
   * Runs several queries at once, as {@link Query.inPartitions} does for partitions: ranges of one large
   * partition, say, or of the table. A row that is in two of them comes once in the order of keys, and
   * twice as rows arrive. The last call counts.
   *
   * @param queries - the condition of each query, beside the conditions of `.where`; how many at once, and
   * in what order
   * @throws InputError with the code `InvalidQuery` for an invalid condition, and for unknown options
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
    const { model } = this.#node
    const parallel = parallelNode(model, queries)
    if (this.#source.isUnsorted) {
      for (const range of parallel.ranges) checkFindsMissing(model, range)
    }
    return this.#changed({ parallel })
  }

  /**
   * Sets whether the next page is fetched while one is consumed. It fetches at most one page ahead, none
   * beyond what `.take` leaves to be read, and leaving the loop cancels the pending one.
   *
   * @param ahead - `true` or `false`
   * @throws InputError with the code `InvalidQuery` for anything else
   * @defaultValue `true` for rows, `false` for `.byPage`, whose caller may stop at a page to continue
   * another day
   *
   * @example
   * ```ts
   * for await (const customer of query.prefetch(false)) await slow(customer) // one page in memory
   * ```
   */
  prefetch(ahead: boolean): this {
    this.#check(ahead, trueOrFalse, 'The argument of .prefetch')
    return this.#changed({ prefetch: ahead })
  }

  /**
   * Sets what happens with a row that cannot be read, such as one that another program wrote or that does
   * not fit the schema. One bad row then does not hide the good ones. It applies to every method that runs
   * the query except `.count`, which decodes no rows.
   *
   * @param policy - `'skip'` leaves the row out; a function is called with the DecodeError and awaited, and
   * the row is left out too; `'throw'` ends the run with the error
   * @throws InputError with the code `InvalidQuery` for anything else
   * @defaultValue `'throw'`
   *
   * @example
   * ```ts
   * const bad: unknown[] = []
   * const good = await customers.query()
   *   .where({ lastName: 'Smith' })
   *   .onBadRow(({ details, message }) => bad.push([details.rowKey, details.property, message]))
   *   .toArray()
   * ```
   */
  onBadRow(policy: BadRowPolicy): this {
    this.#check(policy, badRowRule, 'The policy of .onBadRow')
    return this.#changed({ onBadRow: policy })
  }

  /** Runs the query: one row after another, by as many requests as needed. */
  [Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    return this.rows()
  }

  async *rows(options?: Options): AsyncGenerator<Row, void, undefined> {
    for await (const rows of wholeRun(this.#run(options, true), streamedRows)) {
      for (const row of rows) yield row
    }
  }

  async toArray(options?: Options): Promise<Row[]> {
    return wholeCall(this.#run(options, true), allRows)
  }

  async first(options?: Options): Promise<Row> {
    return wholeCall(this.#run(options, true), firstRow)
  }

  async firstOrUndefined(options?: Options): Promise<Row | undefined> {
    const [row] = await wholeCall(this.#run(options, true), firstRows)
    return row
  }

  async count(options?: Options): Promise<number> {
    return wholeCall(this.#run(options, true), countRows)
  }

  async forEach(handler: RowHandler<Row>, options?: Options & HandlerOptions): Promise<void> {
    const { concurrency = CALLS_AT_ONCE, ...rest } = members<HandlerOptions>(options, '.forEach')
    // The rest are the options of the source, which must all be optional.
    const run = this.#run(rest as Options, true)
    await wholeCall(run, (begun) => forEachRow(begun, handler, concurrency))
  }

  byPage(options?: Options & PageStart): AsyncGenerator<QueryPage<Row>, void, undefined> {
    const { continuationToken, ...rest } = members<PageStart>(options, '.byPage')
    // The rest are the options of the source, which must all be optional.
    const run = this.#run(rest as Options, false)
    return wholeRun(run, (begun) => queryPages(begun, continuationToken))
  }

  async page(options: Options & PageOptions): Promise<FullPage<Row>> {
    const { size, token, ...rest } = members<PageOptions>(options, '.page')
    this.#check(size, anyCount, 'The size of .page')
    // The rest are the options of the source, which must all be optional.
    const run = this.#run(rest as Options, false)
    return wholeCall(run, (begun) => fullPage(begun, { size, token }))
  }

  /**
   * Makes this query with another node; a subclass makes one of its own kind.
   *
   * @internal
   */
  protected remade(
    node: QueryNode,
    source: AnyQuerySource<Row, Options>,
  ): Query<Entity, Row, Shape, Options> {
    return new Query(node, source)
  }

  /**
   * Yields the rows as the source fetched them. They are not read, so rows that the model cannot read come
   * too.
   *
   * @param call - the method that the caller called, for the message
   * @param select - the stored names to read; `undefined` for those of the query
   * @param options - the options of the run
   * @throws InputError with the code `InvalidQuery` when a local filter would have to read the rows
   * @internal
   */
  protected fetchedRows(
    call: string,
    select: readonly string[] | undefined,
    options: Options,
  ): AsyncGenerator<readonly unknown[], void, undefined> {
    const run = this.#run(options, true)
    return wholeRun(run, (begun) => fetchedRows(begun, call, select))
  }

  #with(node: QueryNode): this {
    return this.remade(node, this.#source) as this
  }

  #changed(change: Partial<QueryNode>): this {
    return this.#with(withChange(this.#node, change))
  }

  /** Makes a query of the same source whose node makes other rows of what the source fetches. */
  #ofOtherRows<Other, OtherRow>(node: QueryNode): Query<Other, OtherRow, Shape, Options> {
    const source: AnyQuerySource<unknown, Options> = this.#source
    return new Query(node, source as AnyQuerySource<OtherRow, Options>)
  }

  /**
   * Prepares a run. The query decides whether to prefetch; the default depends on the method that runs it.
   */
  #run(options: Options | undefined, prefetch: boolean): QueryRun<Row, Options> {
    const node = this.#node
    return {
      node,
      source: this.#source,
      // A source may require none of its options.
      options: options ?? ({} as Options),
      prefetch: node.prefetch ?? prefetch,
    }
  }

  #check(value: unknown, rule: Rule, argument: string): void {
    checkArgument(value, rule, argument, this.#node.model.name)
  }
}

const anyCount = wholeNumber(1, Number.MAX_SAFE_INTEGER)
const pageSizes = wholeNumber(1, MAX_PAGE_SIZE)

/** Rejects options that are not an object: a rest of them would be empty. */
function members<Own>(options: (QueryOptions & Own) | undefined, method: string) {
  const given: Partial<QueryOptions & Own> = options ?? {}
  if (typeof given === 'object') return given as QueryOptions & Own
  throw invalidOption(`The options of ${method} must be an object.`)
}
