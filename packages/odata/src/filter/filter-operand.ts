import { compareValues } from './compare-values.ts'
import { holds } from './evaluate-filter.ts'
import { systemTypeOf } from './filter-name.ts'
import type { ComparisonOperator, FilterNode } from './filter-node.ts'
import { type LiteralToken, syntaxError } from './filter-token.ts'
import { booleanProperty, constant } from './logical.ts'

/** What may stand on a side of an operator, before it is known which operator that is. */
export type FilterOperand =
  | { readonly kind: 'property'; readonly property: string; readonly position: number }
  | LiteralToken
  | { readonly kind: 'condition'; readonly node: FilterNode; readonly position: number }

/** The operator that says the same with its sides exchanged. */
const EXCHANGED: { readonly [Operator in ComparisonOperator]: ComparisonOperator } = {
  eq: 'eq',
  ne: 'ne',
  gt: 'lt',
  ge: 'le',
  lt: 'gt',
  le: 'ge',
}

/**
 * An operand standing where a condition must: a Boolean property, `true` or `false`, or a condition.
 *
 * @throws {@link FilterSyntaxError} when it is not Boolean
 */
export function toCondition(text: string, operand: FilterOperand): FilterNode {
  if (operand.kind === 'condition') return operand.node
  if (operand.kind === 'property' && systemTypeOf(operand.property) === undefined) {
    return booleanProperty(operand.property)
  }
  if (operand.kind === 'literal' && operand.literal.type === 'Boolean') {
    return constant(operand.literal.value === true)
  }
  throw syntaxError(text, operand.position, 'a Boolean must stand here, or a comparison')
}

/**
 * Two operands with a comparison operator between them.
 *
 * @throws {@link FilterSyntaxError} when they are not a property and a constant that fits it
 */
export function toComparison(
  text: string,
  left: FilterOperand,
  operator: ComparisonOperator,
  right: FilterOperand,
): FilterNode {
  if (left.kind === 'literal' && right.kind === 'property') {
    return toComparison(text, right, EXCHANGED[operator], left)
  }
  if (right.kind !== 'literal' || left.kind === 'condition') {
    const wrong = right.kind === 'literal' ? left : right
    throw syntaxError(text, wrong.position, 'a property is compared with a constant, nothing else')
  }
  if (left.kind === 'literal') return compareConstants(text, left, operator, right)
  return compareProperty(text, left.property, operator, right)
}

function compareProperty(
  text: string,
  property: string,
  operator: ComparisonOperator,
  { literal, position }: LiteralToken,
): FilterNode {
  const type = systemTypeOf(property)
  if (type !== undefined && type !== literal.type) {
    throw syntaxError(text, position, `${property} is ${type}, and this is ${literal.type}`)
  }
  return Object.freeze({ kind: 'comparison', property, operator, literal })
}

function compareConstants(
  text: string,
  left: LiteralToken,
  operator: ComparisonOperator,
  right: LiteralToken,
): FilterNode {
  if (left.isOperand === true || right.isOperand === true) {
    const reason = 'an operand is a value, never a name: write the name of the property in the text'
    throw syntaxError(text, left.position, reason)
  }
  const order = compareValues(left.literal, right.literal)
  if (order !== undefined) return constant(holds(operator, order))
  const reason = `${left.literal.type} and ${right.literal.type} do not compare`
  throw syntaxError(text, right.position, reason)
}
