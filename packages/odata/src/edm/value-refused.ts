import { PropertyValueError } from '../errors/property-value-error.ts'
import type { EdmType } from './edm-type.ts'

/**
 * The error for a value that its type cannot hold.
 *
 * @param type - the type
 * @param property - the property's stored name, or `''`
 * @param given - what was given instead
 * @param takes - what the type takes, and the fix; follows "Int32 takes …"
 */
export function valueRefused(
  type: EdmType,
  property: string,
  given: unknown,
  takes: string,
): PropertyValueError {
  const subject = property === '' ? `This ${type}` : `Property "${property}"`
  const message = `${subject} cannot hold ${describeGiven(given)}: ${type} takes ${takes}.`
  return new PropertyValueError({ message, property, type })
}

/** A value's kind and size. Texts and bytes may be private, so they are measured and not shown. */
function describeGiven(given: unknown): string {
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
  if (ArrayBuffer.isView(given) || given instanceof ArrayBuffer) return `${given.byteLength} bytes`
  if (Array.isArray(given)) return `an array of ${given.length}`
  return 'an object'
}

function describeDate(given: Date): string {
  const ms = given.getTime()
  return Number.isNaN(ms) ? 'an invalid Date' : `the Date ${new Date(ms).toISOString()}`
}
