import { and, type FilterNode, not, or } from '@rowkey/odata'
import { QueryError } from '../errors/query-error.ts'
import { isFilterNode } from './is-filter-node.ts'

/** A condition, or a filter node made by `@rowkey/odata`. */
export type ConditionLike = Condition | FilterNode

/**
 * Something that is true or false of each entity. A callback of `.where` gives one back.
 *
 * Join conditions with these methods: JavaScript's own `&&`, `||` and `!` cannot be seen from here,
 * and would quietly leave one of the two sides out.
 *
 * @example
 * ```ts
 * customers.query().where((c) => c.lastName.eq('Smith').and(c.points.gt(100n).or(c.active)))
 * // PartitionKey eq 'Smith' and (points gt 100L or active)
 * ```
 */
export class Condition {
  readonly #node: FilterNode

  /** @param node - the condition as a filter tree */
  constructor(node: FilterNode) {
    this.#node = node
  }

  /** The condition as a filter tree. */
  get node(): FilterNode {
    return this.#node
  }

  /**
   * True when this and all the others are true.
   *
   * @throws {@link QueryError} when one of the others is no condition
   *
   * @example
   * ```ts
   * c.lastName.eq('Smith').and(c.age.ge(18)) // PartitionKey eq 'Smith' and age ge 18
   * ```
   */
  and(...others: readonly ConditionLike[]): Condition {
    return new Condition(and(this.node, ...others.map(nodeOf)))
  }

  /**
   * True when this or one of the others is true.
   *
   * @throws {@link QueryError} when one of the others is no condition
   *
   * @example
   * ```ts
   * c.age.lt(18).or(c.age.gt(65)) // age lt 18 or age gt 65
   * ```
   */
  or(...others: readonly ConditionLike[]): Condition {
    return new Condition(or(this.node, ...others.map(nodeOf)))
  }

  /**
   * True when this is not. Mind that an entity without the property makes every comparison false,
   * and so its `not` true.
   *
   * @example
   * ```ts
   * c.age.gt(30).not() // not (age gt 30)
   * ```
   */
  not(): Condition {
    return new Condition(not(this.node))
  }
}

/**
 * The filter tree of a condition.
 *
 * @throws {@link QueryError} when it is none, as the `true` or `false` that `!` and `===` give
 */
export function nodeOf(given: unknown): FilterNode {
  if (given instanceof Condition) return given.node
  if (isFilterNode(given)) return given
  throw new QueryError({
    message:
      `A condition was expected, and ${given === null ? 'null' : `a value of type ${typeof given}`} came. ` +
      'Compare with the methods of a field, such as c.age.gt(30), give the result back, and join with .and, .or and .not.',
  })
}
