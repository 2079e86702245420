import { odataDecodeError, odataInputError } from '../errors/codes.ts'
import type { DecodeError } from '../errors/decode-error.ts'
import type { InputError } from '../errors/input-error.ts'
import type { EdmType, EdmValue } from './edm-type.ts'

/**
 * One Edm type: which JavaScript values it accepts, how they are written in JSON and in a `$filter`, and
 * how two of them compare. `edmCodecs` finds the codec of a type by its name.
 */
export interface EdmCodec<Type extends EdmType = EdmType> {
  /** The type's name, without `Edm.`. */
  readonly type: Type
  /**
   * Turns a caller's value into the type's own value.
   *
   * @param given - any value
   * @param name - the property's name, for the message
   * @throws `InputError` (`InvalidPropertyValue`) when this type cannot hold the value without loss
   */
  accept(given: unknown, name: string): EdmValue<Type>
  /** Tells whether `<name>@odata.type` must accompany this value for the type to survive. */
  annotates(value: EdmValue<Type>): boolean
  /** Writes the value as JSON text, such as `"5"` for an Int64 and `5.0` for a Double. */
  writeJson(value: EdmValue<Type>): string
  /**
   * Reads the value from its parsed JSON.
   *
   * @param json - the member as `JSON.parse` returns it
   * @param name - the property's name, for the message
   * @throws {@link DecodeError} (`UnreadableProperty`) when the JSON is not a value of this type
   */
  readJson(json: unknown, name: string): EdmValue<Type>
  /** Prints the value as a literal of a `$filter`, such as `5L` or `guid'…'`. */
  printLiteral(value: EdmValue<Type>): string
  /** Compares two values: negative, zero or positive; NaN when neither sorts first. */
  compare(a: EdmValue<Type>, b: EdmValue<Type>): number
}

/**
 * Makes the error for a value that its type, or any type, cannot hold.
 *
 * @param type - the type; `undefined` when no type can hold the value
 * @param property - the property's stored name, or `''`
 * @param given - the value
 * @param use - the values that the type holds, and the fix; follows "Use"
 */
export function invalidValue(
  type: EdmType | undefined,
  property: string,
  given: unknown,
  use: string,
): InputError {
  const what = describeValue(given)
  const subject =
    property === ''
      ? what.charAt(0).toUpperCase() + what.slice(1)
      : `Property "${property}": ${what}`
  const verdict = type === undefined ? 'cannot be stored' : `is not a valid ${type}`
  const message = `${subject} ${verdict}. Use ${use}.`
  return odataInputError('InvalidPropertyValue', message, { property, type })
}

/**
 * Makes the error for stored JSON that is not a value of its type.
 *
 * @param type - the type
 * @param property - the property's stored name, or `''`
 * @param json - the parsed JSON
 * @param expected - what the JSON must be; follows "It must be"
 */
export function unreadableValue(
  type: EdmType,
  property: string,
  json: unknown,
  expected: string,
): DecodeError {
  const subject = property === '' ? 'A stored value' : `The stored property "${property}"`
  const message = `${subject} is ${describeValue(json)}, which is not a valid ${type}. It must be ${expected}.`
  return odataDecodeError('UnreadableProperty', message, { property })
}

/**
 * Describes a value for a message: a number or a Date as it is, and any other by its kind and size. Texts and bytes may be private, so
 * they are not shown.
 *
 * @param given - any value
 *
 * @example
 * ```ts
 * describeValue(3.5) // 'the number 3.5'
 * ```
 */
export function describeValue(given: unknown): string {
  if (given === null || given === undefined) return String(given)
  if (typeof given === 'string') return `a string of ${given.length} UTF-16 units`
  if (typeof given === 'number') return `the number ${Object.is(given, -0) ? '-0' : given}`
  if (typeof given === 'bigint') return describeBigInt(given)
  if (typeof given === 'boolean') return `the boolean ${given}`
  if (typeof given === 'object') return describeObject(given)
  return `a ${typeof given}`
}

function describeBigInt(given: bigint): string {
  const digits = given.toString()
  return digits.length <= 40 ? `the bigint ${digits}` : `a bigint of ${digits.length} digits`
}

function describeObject(given: object): string {
  if (given instanceof Date) return describeDate(given)
  if (ArrayBuffer.isView(given) || given instanceof ArrayBuffer) {
    return `a value of ${given.byteLength} bytes`
  }
  return Array.isArray(given) ? `an array of ${given.length}` : 'an object'
}

function describeDate(given: Date): string {
  const ms = given.getTime()
  return Number.isNaN(ms) ? 'an invalid Date' : `the Date ${new Date(ms).toISOString()}`
}
