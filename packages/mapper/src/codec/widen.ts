import type { EdmType, EdmValue } from '@rowkey/odata'

/** A value and its stored type. */
export interface StoredValue {
  readonly type: EdmType
  readonly value: EdmValue
}

/**
 * Converts a stored value to another type if that is exact for every value: an Int32 to an Int64 or a
 * Double, and any type to itself.
 *
 * @returns `undefined` for every other pair of types
 */
export function widen(stored: StoredValue, type: EdmType): EdmValue | undefined {
  if (stored.type === type) return stored.value
  const { value } = stored
  if (stored.type !== 'Int32' || typeof value !== 'number') return undefined
  if (type === 'Int64') return BigInt(value)
  return type === 'Double' ? value : undefined
}
