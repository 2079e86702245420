import { FilterSyntaxError } from '../errors/filter-syntax-error.ts'
import { isComparisonOperator } from './comparison.ts'
import { printLiteral } from './filter-literal.ts'
import { checkFilterName } from './filter-name.ts'
import type { ComparisonNode, FilterNode, LogicalNode } from './filter-node.ts'
import { checkRawNode } from './raw-filter.ts'

/**
 * The text of a filter, not yet encoded for a URL. {@link parseFilter} gives the same tree back, but
 * for raw text, which goes in as it is.
 *
 * @param node - the tree
 * @throws {@link FilterSyntaxError} when the tree holds what no filter has
 * @throws {@link PropertyNameError} and {@link PropertyValueError} when a hand-made tree holds a
 * name or a literal that {@link comparison} would have refused
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
      // Services differ over how tightly `not` binds, so its operand always stands in parentheses.
      return `not (${printFilter(node.operand)})`
    case 'and':
    case 'or':
      return printLogical(node)
    case 'raw':
      checkRawNode(node)
      return node.text
    default:
      throw new FilterSyntaxError({
        message: 'A filter is a tree of FilterNode: make one with comparison, and, or, not.',
        position: 0,
      })
  }
}

function printComparison({ property, operator, literal }: ComparisonNode): string {
  checkFilterName(property)
  if (!isComparisonOperator(operator)) {
    throw new FilterSyntaxError({
      message: `"${operator}" is no comparison operator.`,
      position: 0,
    })
  }
  return `${property} ${operator} ${printLiteral(literal, property)}`
}

function printLogical({ kind, operands }: LogicalNode): string {
  if (operands.length === 0) return kind === 'and' ? 'true' : 'false'
  return operands.map((operand) => printOperand(operand, kind)).join(` ${kind} `)
}

/** `and` binds tighter than `or`; of two alike the inner one stood in parentheses; raw text may hold either. */
function printOperand(operand: FilterNode, within: LogicalNode['kind']): string {
  const text = printFilter(operand)
  const isLoose = operand.kind === within || operand.kind === 'or' || operand.kind === 'raw'
  return isLoose ? `(${text})` : text
}
