import { FilterSyntaxError } from '../errors/filter-syntax-error.ts'
import { PropertyValueError } from '../errors/property-value-error.ts'
import { literalOf } from './filter-literal.ts'
import { checkFilterName, systemTypeOf } from './filter-name.ts'
import {
  COMPARISON_OPERATORS,
  type ComparisonNode,
  type ComparisonOperator,
  type FilterLiteral,
} from './filter-node.ts'

const OPERATORS: ReadonlySet<unknown> = new Set(COMPARISON_OPERATORS)

/**
 * `property op literal`.
 *
 * @param property - the stored property name
 * @param operator - `eq`, `ne`, `gt`, `ge`, `lt` or `le`
 * @param literal - the constant: see {@link literalOf}
 * @throws {@link PropertyNameError} when no property has such a name
 * @throws {@link PropertyValueError} when the literal is none of its type, or PartitionKey or RowKey
 * is compared with other than a String, or Timestamp with other than a DateTime
 *
 * @example
 * ```ts
 * printFilter(comparison('points', 'gt', literalOf(100n))) // 'points gt 100L'
 * ```
 */
export function comparison(
  property: string,
  operator: ComparisonOperator,
  literal: FilterLiteral,
): ComparisonNode {
  checkFilterName(property)
  if (!isComparisonOperator(operator)) {
    const message = `"${operator}" is no comparison operator: use one of ${COMPARISON_OPERATORS.join(', ')}.`
    throw new FilterSyntaxError({ message, position: 0 })
  }
  const type = systemTypeOf(property)
  if (type !== undefined && literal.type !== type) {
    const message = `${property} is ${type}, and the service refuses to compare it with ${literal.type}.`
    throw new PropertyValueError({ message, property, type })
  }
  const checked = literalOf(literal.value, literal.type)
  return Object.freeze({ kind: 'comparison', property, operator, literal: checked })
}

/** Whether a word is one of the six comparison operators. */
export function isComparisonOperator(word: unknown): word is ComparisonOperator {
  return OPERATORS.has(word)
}
