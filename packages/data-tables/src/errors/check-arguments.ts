import { InputError } from '@rowkey/odata'
import { checkOptions } from '@rowkey/rest'

/** Makes the error for an argument that no call can use. */
export function invalidArgument(message: string): InputError {
  return new InputError({ code: 'InvalidOptionValue', message })
}

/**
 * Checks an argument that is an object, with known members where an unknown one could do harm.
 *
 * @param value - the argument
 * @param names - the members that it may have; any when absent
 * @param place - what it is, for the message
 * @throws InputError (`InvalidOptionValue` or `UnknownOption`)
 */
export function checkMembers(
  value: unknown,
  names: readonly string[] | undefined,
  place: string,
): void {
  checkRecord(value, place)
  if (names !== undefined) checkOptions(value, names, place)
}

/**
 * Checks an argument that is an object.
 *
 * @throws InputError (`InvalidOptionValue`)
 */
export function checkRecord(value: unknown, place: string): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return
  throw invalidArgument(`${place} must be an object, not ${kindOf(value)}.`)
}

/**
 * Checks an argument that is an array.
 *
 * @throws InputError (`InvalidOptionValue`)
 */
export function checkArray(value: unknown, place: string): void {
  if (Array.isArray(value)) return
  throw invalidArgument(`${place} must be an array, not ${kindOf(value)}.`)
}

/**
 * Checks an option that is an array of strings, or absent.
 *
 * @throws InputError (`InvalidOptionValue`)
 */
export function checkNames(value: unknown, place: string): void {
  if (value === undefined) return
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return
  throw invalidArgument(`${place} must be an array of strings, not ${kindOf(value)}.`)
}

/**
 * Checks options that have one primitive type, or are absent.
 *
 * @param options - the caller's options
 * @param names - the options to check
 * @param type - the type
 * @param where - whose options they are, for the message
 * @throws InputError (`InvalidOptionValue`)
 */
export function checkTypes(
  options: object,
  names: readonly string[],
  type: 'boolean' | 'string',
  where: string,
): void {
  for (const name of names) {
    const value: unknown = Reflect.get(options, name)
    if (value === undefined || typeof value === type) continue
    throw invalidArgument(`${name} of ${where} must be a ${type}, not ${kindOf(value)}.`)
  }
}

/**
 * Checks a secret or a name that must not be empty.
 *
 * @throws InputError (`InvalidOptionValue`)
 */
export function checkText(value: unknown, place: string): void {
  if (typeof value === 'string' && value !== '') return
  throw invalidArgument(`${place} must be a string that is not empty.`)
}

/** Names the kind of a value, and never the value: it may be secret. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}
