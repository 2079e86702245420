import type { EdmType } from '../edm/edm-type.ts'
import { booleanProperty, constant } from './build-filter.ts'
import { compareValues, holds, isComparable } from './evaluate-filter.ts'
import { type ComparisonOperator, type FilterNode, systemTypeOf } from './filter-node.ts'
import type { OperandTypes } from './filter-syntax-error.ts'
import { type LiteralToken, syntaxError } from './tokenize-filter.ts'

/** One side of an operator, before the parser knows which operator it is. */
export type FilterOperand =
  | { readonly kind: 'property'; readonly property: string; readonly position: number }
  | LiteralToken
  | { readonly kind: 'condition'; readonly node: FilterNode; readonly position: number }

/** The operator that means the same with its sides exchanged. */
const EXCHANGED: { readonly [Operator in ComparisonOperator]: ComparisonOperator } = {
  eq: 'eq',
  ne: 'ne',
  gt: 'lt',
  ge: 'le',
  lt: 'gt',
  le: 'ge',
}

/** Returns the type of an operand; `undefined` where it depends on the stored entities. */
export function typeOf(operand: FilterOperand): EdmType | undefined {
  if (operand.kind === 'condition') return 'Boolean'
  return operand.kind === 'literal' ? operand.literal.type : systemTypeOf(operand.property)
}

/**
 * Makes a condition of an operand: a Boolean property, `true` or `false`, or a condition.
 *
 * @param operands - the operator it belongs to, if any, for the error
 * @throws `FilterSyntaxError` when it is not Boolean
 */
export function toCondition(
  text: string,
  operand: FilterOperand,
  operands?: OperandTypes,
): FilterNode {
  if (operand.kind === 'condition') return operand.node
  if (operand.kind === 'property' && systemTypeOf(operand.property) === undefined) {
    return booleanProperty(operand.property)
  }
  if (operand.kind === 'literal' && operand.literal.type === 'Boolean') {
    return constant(operand.literal.value === true)
  }
  const reason = 'expected a Boolean or a comparison'
  throw syntaxError(text, operand.position, reason, { operands })
}

/**
 * Makes conditions of the operands of `and` or `or`, two or more.
 *
 * @throws `FilterSyntaxError` when one is not Boolean
 */
export function toConditions(
  text: string,
  operator: 'and' | 'or',
  operands: readonly FilterOperand[],
): readonly FilterNode[] {
  const types = operands.map(typeOf)
  return operands.map((operand, index) => {
    // What precedes the second operator is joined already, and so is Boolean.
    const left = index > 1 ? 'Boolean' : types[0]
    return toCondition(text, operand, { operator, types: [left, types[Math.max(index, 1)]] })
  })
}

/**
 * Makes the comparison of two operands.
 *
 * @throws `FilterSyntaxError` when they are not a property and a constant that fits it
 */
export function toComparison(
  text: string,
  left: FilterOperand,
  operator: ComparisonOperator,
  right: FilterOperand,
): FilterNode {
  const operands = wrongTypes(left, operator, right)
  if (left.kind === 'literal' && right.kind === 'literal') {
    return compareConstants(text, { left, right, operator, operands })
  }
  if (left.kind === 'property' && right.kind === 'literal') {
    return compareProperty(text, { property: left.property, operator, constant: right, operands })
  }
  if (left.kind === 'literal' && right.kind === 'property') {
    const exchanged = EXCHANGED[operator]
    const { property } = right
    return compareProperty(text, { property, operator: exchanged, constant: left, operands })
  }
  const { position } = right.kind === 'literal' ? left : right
  const reason = 'a property can only be compared with a constant'
  throw syntaxError(text, position, reason, { operands })
}

/** Returns the types of two operands that are known not to compare. */
function wrongTypes(
  left: FilterOperand,
  operator: ComparisonOperator,
  right: FilterOperand,
): OperandTypes | undefined {
  const types = [typeOf(left), typeOf(right)] as const
  const [a, b] = types
  if (a === undefined || b === undefined || isComparable(a, b)) return undefined
  return { operator, types }
}

interface PropertyComparison {
  readonly property: string
  readonly operator: ComparisonOperator
  readonly constant: LiteralToken
  readonly operands: OperandTypes | undefined
}

function compareProperty(text: string, comparison: PropertyComparison): FilterNode {
  const { property, operator, constant, operands } = comparison
  const { literal, position } = constant
  if (operands !== undefined) {
    const reason = `${property} has the type ${systemTypeOf(property)}, but this constant has the type ${literal.type}`
    throw syntaxError(text, position, reason, { operands })
  }
  return Object.freeze({ kind: 'comparison', property, operator, literal })
}

interface ConstantComparison {
  readonly left: LiteralToken
  readonly right: LiteralToken
  readonly operator: ComparisonOperator
  readonly operands: OperandTypes | undefined
}

function compareConstants(text: string, comparison: ConstantComparison): FilterNode {
  const { left, right, operator, operands } = comparison
  if (left.isOperand === true || right.isOperand === true) {
    const reason = 'an operand is a value, never a name; write the name of the property in the text'
    throw syntaxError(text, left.position, reason)
  }
  const order = compareValues(left.literal, right.literal)
  if (order !== undefined) return constant(holds(operator, order))
  const reason = `${left.literal.type} and ${right.literal.type} cannot be compared`
  throw syntaxError(text, right.position, reason, { operands })
}
