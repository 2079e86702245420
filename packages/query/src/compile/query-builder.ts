import type { WhereCondition } from '../condition/where-condition.ts'
import type { PropertyOf } from '../model/query-shape.ts'
import type { CompiledQuery } from '../node/query-node.ts'
import type { QueryPlan } from './query-plan.ts'

/**
 * A query that compiles to `{ filter, select, top }` for any client; from {@link queryOf}. Every method
 * returns a new query and leaves this one as it is, so a query can be stored and refined.
 *
 * `.where` adds to earlier conditions; of every other method the last call counts.
 */
export interface QueryBuilder<Shape> {
  /**
   * Adds a condition. With several calls, all conditions must hold.
   *
   * @param condition - a callback over the properties, an object of properties, or a filter such as
   * the `filter` tag makes, which uses the stored names
   * @throws InputError with the code `InvalidQuery` for a property that is not stored, an operand that is
   * `null` or `undefined`, and anything that is not a condition; `InvalidPropertyValue` for an operand that
   * the property's type cannot hold
   *
   * @example
   * ```ts
   * query.where((c) => c.lastName.eq('Smith').and(c.points.gt(100n)))
   * query.where({ lastName: 'Smith', points: gt(100n) })
   * query.where({ lastName: 'Smith' }).where({ points: gt(100n) })
   * query.where(filter`PartitionKey eq ${'Smith'} and points gt ${100n}`)
   * // each: PartitionKey eq 'Smith' and points gt 100L
   * ```
   */
  where(condition: WhereCondition<Shape>): this

  /**
   * Reads only some properties. PartitionKey, RowKey and Timestamp are always read with them: without
   * these a row could not be identified, changed or deleted. (The ETag comes by itself.)
   *
   * @param names - one property or more, as the class or model names them
   * @throws InputError with the code `InvalidQuery` for a property that is not stored, and without a name
   *
   * @example
   * ```ts
   * query.select('customerEmailAddress').compile().select // ['PartitionKey', 'RowKey', 'Timestamp', 'cea']
   * ```
   */
  select(...names: [PropertyOf<Shape>, ...PropertyOf<Shape>[]]): QueryBuilder<Shape>

  /**
   * Limits the total number of entities, over short and empty pages. A limit below the page size is sent
   * as `$top`, so that a page holds no more than is wanted.
   *
   * @param limit - a whole number from 1
   * @throws InputError with the code `InvalidQuery` for any other number
   *
   * @example
   * ```ts
   * query.take(5).compile().top // 5
   * ```
   */
  take(limit: number): this

  /**
   * Limits how many entities one page has: `$top`. All of them still come, in more pages.
   *
   * @param size - a whole number from 1 to 1,000
   * @throws InputError with the code `InvalidQuery` for any other number
   * @defaultValue 1,000, the service's own limit
   *
   * @example
   * ```ts
   * query.pageSize(100).compile().top // 100
   * ```
   */
  pageSize(size: number): this

  /**
   * Allows the query to read one whole partition. By default every query may; this is for an account or
   * table with a stricter `ScanPolicy`.
   *
   * @example
   * ```ts
   * orders.query().where({ customerId: 'c1' }).allowPartitionScan() // PartitionKey eq 'c1'
   * ```
   */
  allowPartitionScan(): this

  /**
   * Allows the query to read the whole table, or any range of partitions. Otherwise a query that does not
   * bound PartitionKey is rejected: see `ScanPolicy`.
   *
   * @example
   * ```ts
   * customers.query().where({ points: gt(100n) }).allowTableScan() // points gt 100L
   * ```
   */
  allowTableScan(): this

  /**
   * Compiles the query for any client of the Table service.
   *
   * @example
   * ```ts
   * query.where({ lastName: 'Smith' }).take(5).compile() // { filter: "PartitionKey eq 'Smith'", top: 5 }
   * ```
   */
  compile(): CompiledQuery

  /**
   * Explains the request of the query, the rows that the service has to read, and how many requests a run to the end takes and
   * costs. Nothing is sent. Of several queries at once it gives the plan of each.
   *
   * @example
   * ```ts
   * query.where({ lastName: 'Smith' }).explain()
   * // { plan: 'partitionScan', filter: "PartitionKey eq 'Smith'", comparisons: 1, reasons: [ … ], requests: { least: 1 }, … }
   * query.where({ lastName: 'Smith', firstName: anyOf(['Ann', 'Jeff']) }).explain()
   * // { plan: 'point', pointReads: [{ partitionKey: 'Smith', rowKey: 'Ann' }, …], requests: { least: 2, most: 2 }, … }
   * ```
   */
  explain(): QueryPlan
}
