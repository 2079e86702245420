import type { EdmType, EdmValue } from '../edm/edm-type.ts'
import { EntityProperty } from '../entity/entity-property.ts'
import { odataInputError } from '../errors/codes.ts'
import {
  COMPARISON_OPERATORS,
  type ComparisonNode,
  type ComparisonOperator,
  type ConstantNode,
  checkFilterName,
  type FilterLiteral,
  type FilterNode,
  isComparisonOperator,
  type LogicalNode,
  type NotNode,
  type PropertyNode,
  systemTypeOf,
} from './filter-node.ts'
import { FilterSyntaxError } from './filter-syntax-error.ts'

/**
 * Makes a typed constant for a filter.
 *
 * @param value - the constant, or a property whose type and value it takes
 * @param type - the type it is compared as; without it `inferEdmType` decides, so a whole Double or a Guid
 * needs it
 * @throws `InputError` (`InvalidPropertyValue`) when the type cannot hold the value
 *
 * @example
 * ```ts
 * literalOf(5, 'Double') // { type: 'Double', value: 5 }
 * ```
 */
export function literalOf(value: EdmValue | EntityProperty, type?: EdmType): FilterLiteral {
  const property = EntityProperty.of(value, type)
  return Object.freeze({ type: property.type, value: property.value })
}

/**
 * Makes `property op literal`.
 *
 * @param property - the stored property name
 * @param operator - `eq`, `ne`, `gt`, `ge`, `lt` or `le`
 * @param literal - the constant: see {@link literalOf}
 * @throws `InputError` (`InvalidPropertyName`) for an invalid name, and (`InvalidPropertyValue`) when
 * the literal is not a value of its type, or PartitionKey or RowKey is compared with anything but a String,
 * or Timestamp with anything but a DateTime
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
  checkOperator(operator)
  const type = systemTypeOf(property)
  if (type !== undefined && literal.type !== type) {
    const message = `${property} has the type ${type}, but this constant has the type ${literal.type}.`
    throw odataInputError('InvalidPropertyValue', message, { property, type })
  }
  const checked = literalOf(literal.value, literal.type)
  return Object.freeze({ kind: 'comparison', property, operator, literal: checked })
}

/**
 * Rejects a word that is not a comparison operator.
 *
 * @throws `FilterSyntaxError`
 */
export function checkOperator(operator: unknown): asserts operator is ComparisonOperator {
  if (isComparisonOperator(operator)) return
  const message = `"${String(operator)}" is not a comparison operator. Use one of ${COMPARISON_OPERATORS.join(', ')}.`
  throw new FilterSyntaxError({ message, position: 0 })
}

/**
 * Makes the condition of a Boolean property by itself: true when it is stored and true.
 *
 * @param property - the stored property name
 * @throws `InputError` (`InvalidPropertyName`) for an invalid name
 *
 * @example
 * ```ts
 * printFilter(not(booleanProperty('active'))) // 'not (active)'
 * ```
 */
export function booleanProperty(property: string): PropertyNode {
  checkFilterName(property)
  return Object.freeze({ kind: 'property', property })
}

/**
 * Makes the condition `true` or `false`.
 *
 * @param value - which of the two
 */
export function constant(value: boolean): ConstantNode {
  return Object.freeze({ kind: 'constant', value: value === true })
}

/**
 * Joins conditions that must all hold. Operands that are `and` themselves are flattened; a single operand
 * is returned as it is, and no operand is `true`.
 *
 * @param nodes - the conditions
 *
 * @example
 * ```ts
 * printFilter(and(booleanProperty('a'), or(booleanProperty('b'), booleanProperty('c')))) // 'a and (b or c)'
 * ```
 */
export function and(...nodes: readonly FilterNode[]): FilterNode {
  return combine('and', nodes) ?? constant(true)
}

/**
 * Joins conditions; at least one must hold. Operands that are `or` themselves are flattened; a single
 * operand is returned as it is, and no operand is `false`.
 *
 * @param nodes - the conditions
 */
export function or(...nodes: readonly FilterNode[]): FilterNode {
  return combine('or', nodes) ?? constant(false)
}

/**
 * Makes the opposite of a condition. It is true of an entity that lacks the compared property.
 *
 * @param node - the condition
 */
export function not(node: FilterNode): NotNode {
  return Object.freeze({ kind: 'not', operand: node })
}

/** Makes a logical node with exactly these operands, as a parsed text has them. */
export function logical(kind: LogicalNode['kind'], operands: readonly FilterNode[]): LogicalNode {
  return Object.freeze({ kind, operands: Object.freeze(operands) })
}

function combine(kind: LogicalNode['kind'], nodes: readonly FilterNode[]): FilterNode | undefined {
  const operands = nodes.flatMap((node) => (node.kind === kind ? node.operands : [node]))
  return operands.length > 1 ? logical(kind, operands) : operands[0]
}
