import type { EdmType, EdmValue } from '@rowkey/odata'

/** A value and the type it is stored as. */
export interface StoredValue {
  readonly type: EdmType
  readonly value: EdmValue
}

/**
 * A stored value as another type, where that is exact for every value of the stored type: an Int32
 * as an Int64 or a Double, and anything as itself.
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
