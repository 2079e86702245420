import { binaryCodec, isAnyBuffer } from './binary.ts'
import { dateTimeCodec, isTemporalInstant } from './date-time-value.ts'
import type { EdmCodec } from './edm-codec.ts'
import type { EdmType } from './edm-type.ts'
import {
  booleanCodec,
  doubleCodec,
  guidCodec,
  int32Codec,
  int64Codec,
  isInt32,
  stringCodec,
} from './scalars.ts'

/**
 * The codec of each Edm type, by the type's name.
 *
 * @example
 * ```ts
 * edmCodecs.Int64.writeJson(5n) // '"5"'
 * edmCodecs.Double.printLiteral(5) // '5.0'
 * ```
 */
export const edmCodecs: { readonly [Type in EdmType]: EdmCodec<Type> } = Object.freeze({
  Binary: binaryCodec,
  Boolean: booleanCodec,
  DateTime: dateTimeCodec,
  Double: doubleCodec,
  Guid: guidCodec,
  Int32: int32Codec,
  Int64: int64Codec,
  String: stringCodec,
})

/**
 * Returns the codec of a type that is known only at run time.
 *
 * @param type - the Edm type
 */
export function edmCodecOf<Type extends EdmType>(type: Type): EdmCodec<Type> {
  return edmCodecs[type]
}

/**
 * Finds the type that a value is stored as when none is declared.
 *
 * A whole number of 32 bits is an Int32 and any other number, -0 too, a Double; a bigint is an
 * Int64; bytes are Binary; a `Date` or a `Temporal.Instant` is a DateTime. A Guid cannot be
 * distinguished from a String and must be declared.
 *
 * @param value - anything
 * @returns `undefined` for a value that no Edm type holds: null, undefined, objects, arrays, functions
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
