import { binaryCodec } from './binary.ts'
import { booleanCodec } from './boolean.ts'
import { dateTimeCodec } from './date-time.ts'
import { doubleCodec } from './double.ts'
import type { EdmCodec } from './edm-codec.ts'
import type { EdmType } from './edm-type.ts'
import { guidCodec } from './guid.ts'
import { int32Codec } from './int32.ts'
import { int64Codec } from './int64.ts'
import { stringCodec } from './string.ts'

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
 * The codec of a type that is known only when the program runs.
 *
 * @param type - the Edm type
 */
export function edmCodecOf<Type extends EdmType>(type: Type): EdmCodec<Type> {
  return edmCodecs[type]
}
