import { isAnyBuffer } from './binary.ts'
import { isTemporalInstant } from './date-time.ts'
import type { EdmType } from './edm-type.ts'
import { isInt32 } from './int32.ts'

/**
 * The type that a value is stored as when nobody declared one.
 *
 * A whole number of 32 bits is an Int32 and any other number, -0 too, a Double; a bigint is an
 * Int64; bytes are Binary; a `Date` or a `Temporal.Instant` is a DateTime. A Guid cannot be told
 * from a String and must be declared.
 *
 * @param value - anything
 * @returns `undefined` for what no Edm type holds: null, undefined, objects, arrays, functions
 *
 * @example
 * ```ts
 * inferEdmType(5) // 'Int32'
 * inferEdmType(5.5) // 'Double'
 * inferEdmType({}) // undefined
 * ```
 */
export function inferEdmType(value: unknown): EdmType | undefined {
  switch (typeof value) {
    case 'string':
      return 'String'
    case 'boolean':
      return 'Boolean'
    case 'bigint':
      return 'Int64'
    case 'number':
      return isInt32(value) && !Object.is(value, -0) ? 'Int32' : 'Double'
    case 'object':
      return value === null ? undefined : inferObjectType(value)
    default:
      return undefined
  }
}

function inferObjectType(value: object): EdmType | undefined {
  if (value instanceof Date || isTemporalInstant(value)) return 'DateTime'
  return value instanceof Uint8Array || isAnyBuffer(value) ? 'Binary' : undefined
}
