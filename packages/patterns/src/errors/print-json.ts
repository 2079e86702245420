import { patternsInputError } from './codes.ts'

/**
 * Prints a value that is stored as JSON text.
 *
 * @param value - the value
 * @param place - what it is, for the message
 * @throws InputError (`InvalidPatternOption`) for a value that JSON cannot hold
 */
export function printJson(value: unknown, place: string): string {
  try {
    const text: string | undefined = JSON.stringify(value)
    if (text !== undefined) return text
  } catch {
    // A bigint, or an object that contains itself.
  }
  throw patternsInputError({
    code: 'InvalidPatternOption',
    message: `${place} must be a value that JSON can hold, and not undefined, a function, a bigint or an object that contains itself. Use null for no value, and text for bigints.`,
  })
}
