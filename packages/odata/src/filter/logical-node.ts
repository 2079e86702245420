import { constant, type FilterNode, type LogicalNode, type NotNode } from './filter-node.ts'

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

function combine(
  kind: LogicalNode['kind'],
  [first, ...others]: readonly FilterNode[],
): FilterNode | undefined {
  if (first === undefined || others.length === 0) return first
  const operands = [...operandsOf(kind, first)]
  for (const node of others) {
    for (const operand of operandsOf(kind, node)) operands.push(operand)
  }
  return Object.freeze({ kind, operands: Object.freeze(operands) })
}

function operandsOf(kind: LogicalNode['kind'], node: FilterNode): readonly FilterNode[] {
  return node.kind === kind ? node.operands : [node]
}
