import { checkFilterName } from './filter-name.ts'
import type { ConstantNode, FilterNode, LogicalNode, NotNode, PropertyNode } from './filter-node.ts'

/**
 * A Boolean property standing alone: true when it is stored and true.
 *
 * @param property - the stored property name
 * @throws {@link PropertyNameError} when no property has such a name
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
 * `true` or `false` standing alone.
 *
 * @param value - which of the two
 */
export function constant(value: boolean): ConstantNode {
  return Object.freeze({ kind: 'constant', value: value === true })
}

/**
 * All of the conditions. Operands that are `and` themselves are taken apart; a single operand
 * stands for itself, and none at all is `true`.
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
 * Any of the conditions. Operands that are `or` themselves are taken apart; a single operand
 * stands for itself, and none at all is `false`.
 *
 * @param nodes - the conditions
 */
export function or(...nodes: readonly FilterNode[]): FilterNode {
  return combine('or', nodes) ?? constant(false)
}

/**
 * The opposite of a condition. It is true of an entity that lacks the property compared.
 *
 * @param node - the condition
 */
export function not(node: FilterNode): NotNode {
  return Object.freeze({ kind: 'not', operand: node })
}

/** A logical node with exactly these operands, as a parsed text has them. */
export function logical(kind: LogicalNode['kind'], operands: readonly FilterNode[]): LogicalNode {
  return Object.freeze({ kind, operands: Object.freeze(operands) })
}

function combine(kind: LogicalNode['kind'], nodes: readonly FilterNode[]): FilterNode | undefined {
  const operands = nodes.flatMap((node) => (node.kind === kind ? node.operands : [node]))
  return operands.length > 1 ? logical(kind, operands) : operands[0]
}
