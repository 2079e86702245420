import type { EntityKey } from '@rowkey/odata'
import type { ColumnCodec } from './column-codec.ts'
import { type StoredValue, widen } from './widen.ts'

/** The place that a value will be stored in. */
export interface ValuePlace {
  /** The value that is stored there; `undefined` when it is unknown. */
  readonly stored: StoredValue | undefined
  /** The entity's key. */
  readonly key: EntityKey
}

/**
 * Converts a member's value to the value to store, with the converter of its column. While the member is
 * unchanged, the stored value stays as it is.
 *
 * @throws InputError (`ConversionFailed`) when the converter rejects the value
 */
export function convertedValue(
  { conversion, computed }: ColumnCodec,
  value: unknown,
  { stored, key }: ValuePlace,
): unknown {
  if (conversion === undefined) return value
  // A computed member is never read, so its stored value need not be readable.
  const before = stored === undefined || computed ? undefined : widen(stored, conversion.type)
  if (value === undefined || value === null) {
    // A stored value may read as null, such as the JSON text `null`; it is not removed then.
    const isUnchanged = before !== undefined && conversion.fromStored(before, key) === value
    return isUnchanged ? before : value
  }
  if (before === undefined) return conversion.toStored(value, key)
  return conversion.update(before, value, key)
}
