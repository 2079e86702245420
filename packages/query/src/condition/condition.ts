import {
  and,
  brand,
  COMPARISON_OPERATORS,
  describeKind,
  type FilterNode,
  not,
  or,
} from '@rowkey/odata'
import { invalidQuery } from '../errors/invalid-query.ts'

/** A condition, or a filter node made by `@rowkey/odata`. */
export type ConditionLike = Condition | FilterNode

/**
 * A statement that is true or false of each entity. A callback of `.where` returns one.
 *
 * Join conditions with these methods. JavaScript's own `a || b` is `a`, and `a && b` is `b`: a query rejects a callback that made a
 * condition which its result lacks.
 *
 * @example
 * ```ts
 * customers.query().where((c) => c.lastName.eq('Smith').and(c.points.gt(100n).or(c.active)))
 * // PartitionKey eq 'Smith' and (points gt 100L or active)
 * ```
 */
export class Condition {
  static {
    brand(Condition, 'rowkey.condition')
  }

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
   * Makes a condition that is true when this and all the others are true.
   *
   * @throws InputError with the code `InvalidQuery` when one of the others is not a condition
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
   * Makes a condition that is true when this or one of the others is true.
   *
   * @throws InputError with the code `InvalidQuery` when one of the others is not a condition
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
   * Makes a condition that is true when this is not. An entity without the property makes every
   * comparison false, and so its `not` true.
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
 * Returns the filter tree of a condition.
 *
 * @throws InputError with the code `InvalidQuery` when it is not a condition, as the `true` or `false` that
 * `!` and `===` give
 */
export function nodeOf(given: unknown): FilterNode {
  if (given instanceof Condition) return given.node
  if (isFilterNode(given)) return given
  throw invalidQuery(
    `Expected a condition; got ${describeKind(given)}. ` +
      'Return a comparison, such as c.age.gt(30), or several that are joined with .and, .or and .not.',
  )
}

/**
 * Distinguishes a filter node from an object that lists properties.
 *
 * Only frozen objects count, as odata's functions and its parser make them. So a record that came
 * from outside as JSON can never pass for a tree of conditions.
 */
export function isFilterNode(given: unknown): given is FilterNode {
  return typeof given === 'object' && given !== null && Object.isFrozen(given) && hasShape(given)
}

type NodeMember = 'kind' | 'property' | 'operator' | 'value' | 'operands' | 'operand' | 'text'

const operators: ReadonlySet<unknown> = new Set(COMPARISON_OPERATORS)

/** The types of the members are unknown until they are checked. */
function hasShape(node: { readonly [Member in NodeMember]?: unknown }): boolean {
  switch (node.kind) {
    case 'comparison':
      return typeof node.property === 'string' && operators.has(node.operator)
    case 'property':
      return typeof node.property === 'string'
    case 'constant':
      return typeof node.value === 'boolean'
    case 'and':
    case 'or':
      return Array.isArray(node.operands)
    case 'not':
      return isFilterNode(node.operand)
    case 'raw':
      // The printer checks whether it was really marked as raw.
      return typeof node.text === 'string'
    default:
      return false
  }
}
