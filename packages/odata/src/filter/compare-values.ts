import { edmCodecOf } from '../edm/edm-codecs.ts'
import type { EdmType, EdmValue } from '../edm/edm-type.ts'

/** A value with its type, such as an {@link EntityProperty} or a {@link FilterLiteral}. */
export interface TypedValue {
  /** The value's Edm type. */
  readonly type: EdmType
  /** The value. */
  readonly value: EdmValue
}

/**
 * How two values compare in a filter.
 *
 * @returns negative, zero or positive; NaN when they compare but neither sorts first (a Double
 * NaN); `undefined` when values of these types never match
 */
export function compareValues(a: TypedValue, b: TypedValue): number | undefined {
  if (a.type === b.type) return edmCodecOf(a.type).compare(a.value, b.value)
  return isComparable(a.type, b.type) ? compareNumbers(a.value, b.value) : undefined
}

/** Whether values of two types may match: of the same type, or numbers. */
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
