import { type CompiledQuery, compileQuery, MAX_PAGE_SIZE } from './compile-query.ts'
import { conditionFilter, type WhereCondition } from './condition/where-condition.ts'
import { QueryError } from './errors/query-error.ts'
import type { QueryModel } from './query-model.ts'
import { type QueryNode, queryNode, withChange, withFilter } from './query-node.ts'
import { planQuery, type QueryPlan } from './query-plan.ts'
import type { DynamicShape, PropertyOf, QueryShape } from './query-shape.ts'
import { freerPolicy, type ScanPolicy } from './scan-policy.ts'
import { selectNames } from './select-names.ts'

/**
 * A query that compiles to `{ filter, select, top }` for any client. Every method gives a new builder
 * and leaves this one as it is, so a query can be kept and refined.
 *
 * `.where` adds to what was said before; of every other method the last call counts.
 */
export class QueryBuilder<Shape> {
  /** Everything said so far. */
  protected readonly node: QueryNode

  /** @param node - everything said so far; see {@link queryOf} */
  constructor(node: QueryNode) {
    this.node = node
  }

  /**
   * Adds a condition. Said twice, both must hold.
   *
   * @param condition - a callback over the properties, an object of properties, or a filter such as
   * the `filter` tag makes; the names in that are the stored ones
   * @throws {@link QueryError} for a property that is not stored, an operand that is `null` or
   * `undefined`, and anything that is no condition
   * @throws PropertyValueError for an operand that the property's type cannot hold
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
  where(condition: WhereCondition<Shape>): this {
    return this.over(withFilter(this.node, conditionFilter(this.node.model, condition)))
  }

  /**
   * Reads only some properties. PartitionKey, RowKey and Timestamp are always read with them: without
   * these a row could not be told from another, changed or deleted. (The ETag comes by itself.)
   *
   * @param names - one property or more, as the class or model names them
   * @throws {@link QueryError} for a property that is not stored, and when there is none at all
   *
   * @example
   * ```ts
   * query.select('customerEmailAddress').compile().select // ['PartitionKey', 'RowKey', 'Timestamp', 'cea']
   * ```
   */
  select(...names: [PropertyOf<Shape>, ...PropertyOf<Shape>[]]): QueryBuilder<Shape> {
    return this.over(this.selected(names))
  }

  /**
   * Limits how many entities come in all, over short and empty pages. When it is below the page size
   * it is sent as `$top`, so that no page holds more than is wanted.
   *
   * @param limit - a whole number from 1
   * @throws {@link QueryError} for any other number
   *
   * @example
   * ```ts
   * query.take(5).compile().top // 5
   * ```
   */
  take(limit: number): this {
    this.checkCount(`.take(${String(limit)})`, limit, Number.MAX_SAFE_INTEGER)
    return this.over(withChange(this.node, { take: limit }))
  }

  /**
   * Limits how many entities come in one page: `$top`. All of them still come, in more pages.
   *
   * @param size - a whole number from 1 to 1,000
   * @throws {@link QueryError} for any other number
   * @defaultValue 1,000, the service's own limit
   *
   * @example
   * ```ts
   * query.pageSize(100).compile().top // 100
   * ```
   */
  pageSize(size: number): this {
    this.checkCount(`.pageSize(${String(size)})`, size, MAX_PAGE_SIZE)
    return this.over(withChange(this.node, { pageSize: size }))
  }

  /**
   * Lets the query read one whole partition. By default every query may; this is for where a setting
   * says otherwise: see {@link ScanPolicy}.
   *
   * @example
   * ```ts
   * orders.query().where({ customerId: 'c1' }).allowPartitionScan() // PartitionKey eq 'c1'
   * ```
   */
  allowPartitionScan(): this {
    return this.allowing('partitionScan')
  }

  /**
   * Lets the query read the whole table, or any range of partitions. A query that says nothing about
   * PartitionKey is refused otherwise: see {@link ScanPolicy}.
   *
   * @example
   * ```ts
   * customers.query().where({ points: gt(100n) }).allowTableScan() // points gt 100L
   * ```
   */
  allowTableScan(): this {
    return this.allowing('tableScan')
  }

  /**
   * The query as any client of the Table service takes it.
   *
   * @example
   * ```ts
   * query.where({ lastName: 'Smith' }).take(5).compile() // { filter: "PartitionKey eq 'Smith'", top: 5 }
   * ```
   */
  compile(): CompiledQuery {
    return compileQuery(this.node)
  }

  /**
   * What the query would send, and what the service would have to read; nothing is sent.
   *
   * @example
   * ```ts
   * query.where({ lastName: 'Smith' }).explain()
   * // { plan: 'partitionScan', filter: "PartitionKey eq 'Smith'", comparisons: 1 }
   * ```
   */
  explain(): QueryPlan {
    return planQuery(this.node)
  }

  /** The same kind of builder over another query. A subclass that holds more gives its own. */
  protected over(node: QueryNode): this {
    // `this` cannot be constructed by name; subclasses keep the promise by overriding.
    return new QueryBuilder<Shape>(node) as this
  }

  /** The query with a projection. */
  protected selected(names: readonly string[]): QueryNode {
    this.checkNotFiltered()
    return withChange(this.node, { select: selectNames(this.node.model, names) })
  }

  /** A test of rows was made for the rows there were; narrower ones could quietly fail it. */
  private checkNotFiltered(): void {
    if (this.node.localFilter === undefined) return
    const { name: model } = this.node.model
    const message = `.select on ${model} comes after .filterLocally, which tests rows with all their properties. Say .select first.`
    throw new QueryError({ model, message })
  }

  private allowing(policy: ScanPolicy): this {
    return this.over(withChange(this.node, { scans: freerPolicy(this.node.scans, policy) }))
  }

  /** Rejects a number that is not a count. */
  protected checkCount(call: string, count: number, most: number): void {
    if (Number.isInteger(count) && count >= 1 && count <= most) return
    throw new QueryError({
      model: this.node.model.name,
      message: `${call} on ${this.node.model.name}: give a whole number from 1 to ${most}.`,
    })
  }
}

/**
 * Begins a query that is compiled and given to any client; `bindQuery` makes one that runs.
 *
 * @param model - what can be asked about, from {@link dynamicQueryModel} or a mapped class
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
  return new QueryBuilder(queryNode(model))
}
