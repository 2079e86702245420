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
 * A comparison with a property that is absent is false, also with `ne`; its `not` is then true. A stored
 * value of another type than the constant counts as less: `ne`, `lt` and `le` match. An Int32 constant
 * compares by value with a stored Int64 or Double, and an Int64 constant with a stored Double. A stored number
 * is never widened: a stored Int32 is less than `3L` and `3.0`, whatever its value.
 *
 * Strings compare by UTF-16 units, Guids by the bytes of their text form, Binary byte by byte, DateTime by ticks.
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
  return stored !== undefined && holds(node.operator, compareStored(stored, node.literal))
}

/**
 * Compares a stored value with a constant, as a filter does.
 *
 * @returns negative, zero or positive; NaN when neither sorts first (a Double NaN). A value of another type
 * that the constant cannot be widened to counts as less
 */
export function compareStored(stored: TypedValue, literal: TypedValue): number {
  if (stored.type === literal.type)
    return edmCodecOf(stored.type).compare(stored.value, literal.value)
  return isWidened(literal.type, stored.type) ? compareNumbers(stored.value, literal.value) : -1
}

/** Tells whether a constant of a numeric type compares with a stored value of a wider one. */
function isWidened(literal: EdmType, stored: EdmType): boolean {
  if (stored === 'Double') return literal === 'Int32' || literal === 'Int64'
  return stored === 'Int64' && literal === 'Int32'
}

/** Compares two constants: numbers of all types by their values. `undefined` when types do not compare. */
export function compareConstants(a: TypedValue, b: TypedValue): number | undefined {
  if (a.type === b.type) return edmCodecOf(a.type).compare(a.value, b.value)
  return isComparable(a.type, b.type) ? compareNumbers(a.value, b.value) : undefined
}

/** Tells whether constants of two types compare: of the same type, or numbers. */
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
