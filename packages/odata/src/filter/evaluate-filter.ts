import { edmCodecOf } from '../edm/edm-codecs.ts'
import type { EdmType, EdmValue } from '../edm/edm-type.ts'
import type { ComparisonNode, FilterNode, RawNode } from './filter-node.ts'
import { FilterSyntaxError, holds } from './filter-node.ts'

/** A value with its type, such as an `EntityProperty` or a `FilterLiteral`. */
export interface TypedValue {
  /** The value's Edm type. */
  readonly type: EdmType
  /** The value. */
  readonly value: EdmValue
}

/** Finds a stored property by its name; `undefined` when the entity lacks it. */
export type PropertyLookup = (name: string) => TypedValue | undefined

/**
 * Tells whether an entity matches a filter, as the service decides it.
 *
 * A comparison with a property that is absent or of another type is false, also with `ne`; its `not` is
 * then true. Int32, Int64 and Double compare by their exact values. Strings compare by UTF-16
 * units, Guids by the bytes of their text form, Binary byte by byte, DateTime by ticks.
 *
 * @param node - the tree
 * @param property - finds a stored property, system properties included
 * @throws `FilterSyntaxError` for raw text that `parseFilter` cannot parse
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
  const message = `The raw filter of ${text.length} characters cannot be parsed, so only the service knows what it matches.`
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
 * Compares two values as a filter does.
 *
 * @returns negative, zero or positive; NaN when they compare but neither sorts first (a Double
 * NaN); `undefined` when values of these types never match
 */
export function compareValues(a: TypedValue, b: TypedValue): number | undefined {
  if (a.type === b.type) return edmCodecOf(a.type).compare(a.value, b.value)
  return isComparable(a.type, b.type) ? compareNumbers(a.value, b.value) : undefined
}

/** Tells whether values of two types may match: of the same type, or numbers. */
export function isComparable(a: EdmType, b: EdmType): boolean {
  return a === b || (isNumeric(a) && isNumeric(b))
}

function isNumeric(type: EdmType): boolean {
  return type === 'Int32' || type === 'Int64' || type === 'Double'
}

/** Exact: the language compares a bigint with a number by their mathematical values. */
function compareNumbers(a: EdmValue, b: EdmValue): number {
  if (a < b) return -1
  if (a > b) return 1
  return a >= b ? 0 : Number.NaN
}
