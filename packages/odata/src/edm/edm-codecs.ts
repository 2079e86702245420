import { binaryCodec, isAnyBuffer } from './binary.ts'
import { dateTimeCodec, isTemporalInstant } from './date-time-value.ts'
import { type EdmCodec, invalidValue, unreadableValue } from './edm-codec.ts'
import type { EdmType } from './edm-type.ts'

/** Boolean: `true` and `false`, and nothing that merely looks like them. */
const booleanCodec: EdmCodec<'Boolean'> = {
  type: 'Boolean',
  accept(given, name) {
    if (typeof given === 'boolean') return given
    throw invalidValue('Boolean', name, given, 'true or false')
  },
  annotates: () => false,
  writeJson: String,
  readJson(json, name) {
    if (typeof json === 'boolean') return json
    throw unreadableValue('Boolean', name, json, 'true or false')
  },
  printLiteral: String,
  compare: (a, b) => Number(a) - Number(b),
}

/** Int32: a whole `number` of 32 bits. It has one zero, so -0 becomes 0. */
const int32Codec: EdmCodec<'Int32'> = {
  type: 'Int32',
  accept(given, name) {
    if (typeof given === 'number' && isInt32(given)) return given | 0
    const use =
      'a whole number from -2147483648 to 2147483647; declare Int64 for larger ones, Double for fractions'
    throw invalidValue('Int32', name, given, use)
  },
  annotates: () => false,
  writeJson: String,
  readJson(json, name) {
    if (typeof json === 'number' && isInt32(json)) return json | 0
    throw unreadableValue('Int32', name, json, 'a whole number from -2147483648 to 2147483647')
  },
  printLiteral: String,
  compare: (a, b) => a - b,
}

/** Tells whether a number is whole and has 32 bits; true of -0. */
export function isInt32(value: number): boolean {
  return (value | 0) === value
}

const MIN_INT64 = -(2n ** 63n)
const MAX_INT64 = 2n ** 63n - 1n
const DIGITS = /^-?\d{1,40}$/
/** Every number of so many characters has 64 bits. */
const SAFE_LENGTH = 18

/** Int64: a `bigint` of 64 bits, which travels as text because JSON numbers lose digits. */
const int64Codec: EdmCodec<'Int64'> = {
  type: 'Int64',
  accept(given, name) {
    const value = toInt64(given)
    if (value !== undefined) return value
    const use =
      'a whole number from -2^63 to 2^63 - 1: a bigint, or a number for which Number.isSafeInteger is true'
    throw invalidValue('Int64', name, given, use)
  },
  annotates: () => true,
  writeJson: (value) => `"${value}"`,
  readJson(json, name) {
    if (typeof json === 'string' && DIGITS.test(json)) {
      const value = BigInt(json)
      if (json.length <= SAFE_LENGTH || isInt64(value)) return value
    }
    const value = toInt64(json)
    if (value !== undefined) return value
    throw unreadableValue('Int64', name, json, 'the digits of a whole number of 64 bits, as text')
  },
  printLiteral: (value) => `${value}L`,
  compare: compareOrdered,
}

/** Tells whether a bigint has 64 bits. */
export function isInt64(value: bigint): boolean {
  return value >= MIN_INT64 && value <= MAX_INT64
}

function toInt64(given: unknown): bigint | undefined {
  const value = typeof given === 'number' && Number.isSafeInteger(given) ? BigInt(given) : given
  return typeof value === 'bigint' && isInt64(value) ? value : undefined
}

/** Doubles that JSON has no number for, as text; OData writes the infinities as `INF`. */
const NOT_FINITE = /^(?:NaN|-?(?:INF|Infinity))$/
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Double: every `number`, with -0, NaN and the infinities. A whole one keeps its `.0`. */
const doubleCodec: EdmCodec<'Double'> = {
  type: 'Double',
  accept(given, name) {
    if (typeof given === 'number') return given
    throw invalidValue('Double', name, given, 'a number')
  },
  annotates: (value) => Number.isInteger(value) || !Number.isFinite(value),
  writeJson: (value) => (Number.isFinite(value) ? printFinite(value) : `"${value}"`),
  readJson(json, name) {
    if (typeof json === 'string' && NOT_FINITE.test(json))
      return Number(json.replace('INF', 'Infinity'))
    const value = typeof json === 'string' && NUMBER.test(json) ? Number(json) : json
    // JSON.parse and Number make an infinity of digits that are beyond a Double, such as 1e400.
    if (typeof value === 'number' && Math.abs(value) !== Number.POSITIVE_INFINITY) return value
    const expected = 'a number that a Double can hold, or "NaN", "Infinity" or "-Infinity" as text'
    throw unreadableValue('Double', name, json, expected)
  },
  printLiteral: (value) =>
    Number.isFinite(value) ? printFinite(value) : String(value).replace('Infinity', 'INF'),
  compare: (a, b) => (a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN),
}

/** Without a fraction or an exponent the token would be an integer. */
function printFinite(value: number): string {
  if (!Number.isInteger(value)) return String(value)
  if (Object.is(value, -0)) return '-0.0'
  const text = String(value)
  return Math.abs(value) < 1e21 ? `${text}.0` : text.replace('e+', 'e')
}

/** The service's own form: that text is used as it is, without a copy. */
const LOWER_GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const GUID = new RegExp(LOWER_GUID, 'i')
const GUID_FORM = '32 hexadecimal digits hyphenated 8-4-4-4-12, without braces'

/** Guid: 8-4-4-4-12 hexadecimal digits in either case, held in lower case as the service does. */
const guidCodec: EdmCodec<'Guid'> = {
  type: 'Guid',
  accept(given, name) {
    const guid = toGuid(given)
    if (guid !== undefined) return guid
    throw invalidValue('Guid', name, given, `${GUID_FORM}, such as crypto.randomUUID() returns`)
  },
  annotates: () => true,
  writeJson: (value) => `"${value}"`,
  readJson(json, name) {
    const guid = toGuid(json)
    if (guid !== undefined) return guid
    throw unreadableValue('Guid', name, json, GUID_FORM)
  },
  printLiteral: (value) => `guid'${value}'`,
  // In one case, text order is the order of the 16 bytes as they are written.
  compare: compareOrdered,
}

/** Compares two texts, unit by unit, or two whole numbers. */
export function compareOrdered<Value extends string | bigint>(one: Value, other: Value): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** Tells whether a value is the text of a Guid, in either case. */
export function isGuid(given: unknown): given is string {
  return typeof given === 'string' && GUID.test(given)
}

function toGuid(given: unknown): string | undefined {
  if (typeof given === 'string' && LOWER_GUID.test(given)) return given
  return isGuid(given) ? given.toLowerCase() : undefined
}

/**
 * String: UTF-16 text, compared unit by unit. The service limits one property to 64 KiB; that is checked
 * where a request is made.
 */
export const stringCodec: EdmCodec<'String'> = {
  type: 'String',
  accept: acceptString,
  annotates: () => false,
  writeJson: writeJsonText,
  // The service may hold text that Rowkey would not send, so only the kind is checked.
  readJson(json, name) {
    if (typeof json === 'string') return json
    throw unreadableValue('String', name, json, 'a string')
  },
  printLiteral: (value) => `'${value.replaceAll("'", "''")}'`,
  compare: compareOrdered,
}

function acceptString(given: unknown, name: string): string {
  if (typeof given !== 'string') throw invalidValue('String', name, given, 'a string')
  if (isWellFormed(given)) return given
  const use =
    'text without half of a surrogate pair, which UTF-8 cannot carry; String.prototype.toWellFormed replaces it'
  throw invalidValue('String', name, given, use)
}

/** Characters that JSON must escape, and halves of surrogate pairs; most texts have neither. */
const ESCAPED = /["\\\p{Cc}\p{Surrogate}]/u

/** Writes a text as a JSON string. */
export function writeJsonText(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`
}

/**
 * Tells whether UTF-8 can carry a text: it has no half of a surrogate pair.
 *
 * @param text - any text
 */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed()
}

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
 * A whole number of 32 bits is an Int32. Any other number is a Double, and so is -0. A bigint is an Int64,
 * bytes are Binary, and a `Date` or a `Temporal.Instant` is a DateTime. A Guid cannot be distinguished from
 * a String and must be declared.
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
