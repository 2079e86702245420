import type { FilterNode } from './filter-node.ts'

/** The most comparisons that the service promises to take in one filter. */
export const MAX_COMPARISONS = 15

/**
 * How many comparisons a filter makes; the service promises to take up to {@link MAX_COMPARISONS}.
 *
 * @param node - the tree; raw text that cannot be read counts as none
 */
export function countComparisons(node: FilterNode): number {
  switch (node.kind) {
    case 'comparison':
      return 1
    case 'not':
      return countComparisons(node.operand)
    case 'and':
    case 'or':
      return node.operands.reduce((count, operand) => count + countComparisons(operand), 0)
    case 'raw':
      return node.meaning === undefined ? 0 : countComparisons(node.meaning)
    default:
      return 0
  }
}
