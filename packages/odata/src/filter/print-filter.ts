import { edmCodecOf } from '../edm/edm-codecs.ts'
import { EntityProperty } from '../entity/entity-property.ts'
import {
  type ComparisonNode,
  checkFilterName,
  checkOperator,
  checkRawNode,
  type FilterLiteral,
  type FilterNode,
  FilterSyntaxError,
  type LogicalNode,
} from './filter-node.ts'

/**
 * Prints a filter, not yet encoded for a URL. `parseFilter` returns the same tree, except for raw text,
 * which is printed as it is.
 *
 * @param node - the tree
 * @throws `FilterSyntaxError` when the tree contains what no filter has
 * @throws `InputError` (`InvalidPropertyName`, `InvalidPropertyValue`) when a hand-made tree has a name
 * or a literal that `comparison` would have rejected
 *
 * @example
 * ```ts
 * printFilter(comparison('lastName', 'eq', literalOf("O'Neil"))) // "lastName eq 'O''Neil'"
 * ```
 */
export function printFilter(node: FilterNode): string {
  switch (node?.kind) {
    case 'comparison':
      return printComparison(node)
    case 'property':
      checkFilterName(node.property)
      return node.property
    case 'constant':
      return node.value === true ? 'true' : 'false'
    case 'not':
      // Services differ in the precedence of `not`, so its operand is always in parentheses.
      return `not (${printFilter(node.operand)})`
    case 'and':
    case 'or':
      return printLogical(node)
    case 'raw':
      checkRawNode(node)
      return node.text
    default:
      throw new FilterSyntaxError({
        message: 'A filter must be a FilterNode. Make one with comparison, and, or, not.',
        position: 0,
      })
  }
}

function printComparison({ property, operator, literal }: ComparisonNode): string {
  checkFilterName(property)
  checkOperator(operator)
  return `${property} ${operator} ${printLiteral(literal, property)}`
}

function printLogical({ kind, operands }: LogicalNode): string {
  if (operands.length === 0) return kind === 'and' ? 'true' : 'false'
  return operands.map((operand) => printOperand(operand, kind)).join(` ${kind} `)
}

/** `and` binds tighter than `or`; a nested node of the same kind had parentheses; raw text may be either. */
function printOperand(operand: FilterNode, within: LogicalNode['kind']): string {
  const text = printFilter(operand)
  const isLoose = operand.kind === within || operand.kind === 'or' || operand.kind === 'raw'
  return isLoose ? `(${text})` : text
}

/** The literal is checked, so that no text can end its own quotes. */
function printLiteral(literal: FilterLiteral, name: string): string {
  const { type, value } = EntityProperty.of(literal?.value, literal?.type, name)
  return edmCodecOf(type).printLiteral(value)
}
