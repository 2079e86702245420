import type { EdmValue, EntityKey } from '@rowkey/odata'
import { printJson } from '../convert/print-json.ts'
import type { ValueConversion } from '../convert/value-conversion.ts'
import type { ColumnCodec } from './column-codec.ts'
import { memberJson } from './member-json.ts'
import { type StoredValue, widen } from './widen.ts'

/** What is known of the place where a value is to be stored. */
export interface ValuePlace {
  /** What is stored there; `undefined` when nothing is known to be. */
  readonly stored: StoredValue | undefined
  /** The entity's key. */
  readonly key: EntityKey
}

/**
 * A member's value as it is to be stored, by the converter of its column.
 *
 * What is stored may be another spelling of the same value, by another program: JSON with spaces, a
 * number with zeros. Then nobody changed it, and it is stored as it is.
 */
export function convertedValue(
  { conversion, computed, member }: ColumnCodec,
  value: unknown,
  { stored, key }: ValuePlace,
): unknown {
  if (conversion === undefined || value === undefined || value === null) return value
  const { type } = conversion
  const before = stored && widen(stored, type)
  const converted = storedValue(conversion, value, { before, key })
  if (before === undefined || before === converted || computed) return converted
  const again = conversion.toStored(conversion.fromStored(before, key), key)
  const isSame = memberJson(member, type, again) === memberJson(member, type, converted)
  return isSame ? before : converted
}

/** A value that was read leniently cannot be written, and need not be while nobody changes it. */
function storedValue(
  conversion: ValueConversion,
  value: unknown,
  { before, key }: { readonly before: EdmValue | undefined; readonly key: EntityKey },
): EdmValue {
  try {
    return conversion.toStored(value, key)
  } catch (error) {
    if (before !== undefined && isSameJson(value, conversion.fromStored(before, key))) return before
    throw error
  }
}

function isSameJson(one: unknown, other: unknown): boolean {
  try {
    return printJson(one) === printJson(other)
  } catch {
    return false
  }
}
