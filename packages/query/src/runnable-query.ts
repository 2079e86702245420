import { type BadRowPolicy, checkBadRowPolicy } from './bad-row.ts'
import { QueryError } from './errors/query-error.ts'
import { firstRows } from './first-rows.ts'
import { IterableQuery } from './iterable-query.ts'
import { parallelPlan } from './parallel/parallel-plan.ts'
import { withChange } from './query-node.ts'
import { planQuery, type QueryPlan } from './query-plan.ts'
import { queryRows } from './query-rows.ts'
import type { QueryOptions } from './query-source.ts'
import { withKeyAlone } from './run/key-alone.ts'
import { noRow } from './run/no-row.ts'
import { pointPlan } from './run/point-plan.ts'
import { pointReadsIn } from './run/point-rows.ts'

/**
 * A query that knows where its rows come from: all the ways to run it. {@link BoundQuery} adds the
 * ways to say which rows they are to be.
 */
export abstract class RunnableQuery<
  Row,
  Shape,
  Options extends QueryOptions = QueryOptions,
> extends IterableQuery<Row, Shape, Options> {
  /**
   * What the query would send, and what the service would have to read; nothing is sent. Of several
   * queries at once it tells the plan of each.
   *
   * @example
   * ```ts
   * query.where({ lastName: 'Smith', firstName: anyOf(['Ann', 'Jeff']) }).explain()
   * // { plan: 'point', pointReads: [{ partitionKey: 'Smith', rowKey: 'Ann' }, …], … }
   * ```
   */
  override explain(): QueryPlan {
    const { node, source } = this
    if (node.parallel !== undefined) return parallelPlan(node, node.parallel)
    const reads = pointReadsIn(node, source)
    return reads === undefined ? planQuery(node) : pointPlan(node, reads.keys)
  }

  /**
   * Says whether the next page is fetched while one is consumed. Never more than one is; none beyond
   * what `.take` leaves to be read; and leaving the loop gives up the one that is under way.
   *
   * @param ahead - `true` or `false`
   * @throws {@link QueryError} for anything else
   * @defaultValue `true` for rows, `false` for `.byPage`, whose caller may stop at a page to go on
   * another day
   *
   * @example
   * ```ts
   * for await (const customer of query.prefetch(false)) await slow(customer) // one page in memory
   * ```
   */
  prefetch(ahead: boolean): this {
    if (typeof ahead === 'boolean') return this.over(withChange(this.node, { prefetch: ahead }))
    throw new QueryError({
      model: this.node.model.name,
      message: `.prefetch(${String(ahead)}) on ${this.node.model.name}: give true or false.`,
    })
  }

  /**
   * Sets what happens with a row that cannot be read, such as one that another program wrote or that does
   * not fit the schema. One bad row then does not hide the good ones. It applies to every way to run the
   * query but `.count`, which reads no rows.
   *
   * @param policy - `'skip'` leaves the row out; a function is called with the DecodeError and awaited, and
   * the row is left out too; `'throw'` ends the run with the error
   * @throws {@link QueryError} for anything else
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
    checkBadRowPolicy(policy, this.node.model.name)
    return this.over(withChange(this.node, { onBadRow: policy }))
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
    const all: Row[] = []
    for await (const rows of queryRows(this.run(options, true))) {
      for (const row of rows) all.push(row)
    }
    return all
  }

  /**
   * The first row. Asks for one row, over as many empty pages as come.
   *
   * @throws {@link NoRowError} when there is none; {@link BoundQuery.firstOrUndefined} gives
   * `undefined` instead
   *
   * @example
   * ```ts
   * const someone = await customers.query().where({ lastName: 'Smith' }).first() // $top=1
   * ```
   */
  async first(options?: Options): Promise<Row> {
    for (const row of await firstRows(this.run(options, true))) return row
    throw noRow(this.node)
  }

  /**
   * The first row, or `undefined` when there is none. Asks for one row, over as many empty pages as
   * come.
   *
   * @example
   * ```ts
   * const someone = await customers.query().where({ lastName: 'Smith' }).firstOrUndefined() // $top=1
   * ```
   */
  async firstOrUndefined(options?: Options): Promise<Row | undefined> {
    const [row] = await firstRows(this.run(options, true))
    return row
  }

  /**
   * How many rows the query has, up to its limit if it has one. The service cannot count: every row
   * is read, of each only its PartitionKey, 1,000 to a page; a large count is slow and billed.
   *
   * @see https://learn.microsoft.com/azure/storage/tables/table-storage-design-for-query
   *
   * @example
   * ```ts
   * const smiths = await customers.query().where({ lastName: 'Smith' }).count()
   * // $select=PartitionKey, over all pages
   * ```
   */
  async count(options?: Options): Promise<number> {
    const counted = withKeyAlone(this.run(options, true))
    let count = 0
    for await (const rows of queryRows(counted)) count += rows.length
    return count
  }
}
