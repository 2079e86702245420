import { type DeclaredOptions, describeKind, InputError, type Rule, rule } from '@rowkey/odata'

/** Makes the error for an argument that no call can use. */
export function invalidArgument(message: string): InputError {
  return new InputError({ code: 'InvalidOptionValue', message })
}

/**
 * Checks an argument whose unknown members could do harm.
 *
 * @param value - the argument
 * @param members - the members that it may have
 * @param place - what it is, for the message
 * @throws InputError (`InvalidOptionValue` or `UnknownOption`)
 */
export function checkMembers<Members>(
  value: Members,
  members: DeclaredOptions<Members>,
  place: string,
): void {
  checkRecord(value, place)
  members.check(value, place)
}

/** A text. */
export const aText: Rule = rule('a string', (value) => typeof value === 'string')

/**
 * Checks an argument that is an object.
 *
 * @throws InputError (`InvalidOptionValue`)
 */
export function checkRecord(value: unknown, place: string): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return
  throw invalidArgument(`${place} must be an object, not ${describeKind(value)}.`)
}

/**
 * Checks an argument that is an array.
 *
 * @throws InputError (`InvalidOptionValue`)
 */
export function checkArray(value: unknown, place: string): void {
  if (Array.isArray(value)) return
  throw invalidArgument(`${place} must be an array, not ${describeKind(value)}.`)
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
