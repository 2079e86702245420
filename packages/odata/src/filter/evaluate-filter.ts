import { FilterSyntaxError } from '../errors/filter-syntax-error.ts'
import { compareValues, type TypedValue } from './compare-values.ts'
import type { ComparisonNode, ComparisonOperator, FilterNode, RawNode } from './filter-node.ts'

/** Finds a stored property by its name; `undefined` when the entity lacks it. */
export type PropertyLookup = (name: string) => TypedValue | undefined

/**
 * Whether an entity matches a filter, as the service decides it.
 *
 * A comparison with a property that is absent or of another type is false, `ne` too; `not` of it
 * is then true. Int32, Int64 and Double compare by their exact values. Strings compare by UTF-16
 * units, Guids by the bytes of their text form, Binary byte by byte, DateTime by ticks.
 *
 * @param node - the tree
 * @param property - finds a stored property, system properties included
 * @throws {@link FilterSyntaxError} for raw text that {@link parseFilter} cannot read
 *
 * @example
 * ```ts
 * evaluateFilter(parseFilter('points gt 100')!, (name) => person.get(name))
 * ```
 */
export function evaluateFilter(node: FilterNode, property: PropertyLookup): boolean {
  switch (node.kind) {
    case 'comparison':
      return evaluateComparison(node, property)
    case 'property':
      return isTrue(property(node.property))
    case 'constant':
      return node.value
    case 'not':
      return !evaluateFilter(node.operand, property)
    case 'and':
      return node.operands.every((operand) => evaluateFilter(operand, property))
    case 'or':
      return node.operands.some((operand) => evaluateFilter(operand, property))
    case 'raw':
      return evaluateFilter(meaningOf(node), property)
  }
}

function meaningOf({ meaning, text }: RawNode): FilterNode {
  if (meaning !== undefined) return meaning
  const message = `The raw filter of ${text.length} characters cannot be read here, so only the service can tell what it matches.`
  throw new FilterSyntaxError({ message, position: 0 })
}

function isTrue(stored: TypedValue | undefined): boolean {
  return stored?.type === 'Boolean' && stored.value === true
}

function evaluateComparison(node: ComparisonNode, property: PropertyLookup): boolean {
  const stored = property(node.property)
  const order = stored && compareValues(stored, node.literal)
  return order !== undefined && holds(node.operator, order)
}

/**
 * Whether an operator holds of two values that compare like this.
 *
 * @param operator - the operator between them
 * @param order - negative, zero, positive, or NaN, of which only `ne` holds
 */
export function holds(operator: ComparisonOperator, order: number): boolean {
  switch (operator) {
    case 'eq':
      return order === 0
    case 'ne':
      return order !== 0
    case 'gt':
      return order > 0
    case 'ge':
      return order >= 0
    case 'lt':
      return order < 0
    case 'le':
      return order <= 0
  }
}
