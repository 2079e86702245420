import { COMPARISON_OPERATORS, type FilterNode } from '@rowkey/odata'

/**
 * Tells a filter node from an object that lists properties.
 *
 * Only frozen objects count, as odata's functions and its parser make them. So a record that came
 * from outside as JSON can never pass for a tree of conditions.
 */
export function isFilterNode(given: unknown): given is FilterNode {
  return typeof given === 'object' && given !== null && Object.isFrozen(given) && hasShape(given)
}

/** Of a node's members nothing is known before it is looked at. */
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
      // Whether it was really marked as raw is looked at again where it is printed.
      return typeof node.text === 'string'
    default:
      return false
  }
}

type NodeMember = 'kind' | 'property' | 'operator' | 'value' | 'operands' | 'operand' | 'text'

const operators: ReadonlySet<unknown> = new Set(COMPARISON_OPERATORS)
