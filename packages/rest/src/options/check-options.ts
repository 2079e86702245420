import { restInputError } from '../errors/codes.ts'

/**
 * Refuses an options object with a name that means nothing, so that a misspelt option never passes
 * in silence.
 *
 * @param given - what the caller passed
 * @param allowed - every name that means something
 * @param where - the function or class, for the message
 * @throws {@link InputError} (`UnknownOption`) naming the first unknown option and the allowed ones
 * @throws {@link InputError} (`InvalidOptionValue`) when `given` is not an object
 */
export function checkOptions(given: unknown, allowed: readonly string[], where: string): void {
  if (typeof given !== 'object' || given === null) {
    throw restInputError({
      code: 'InvalidOptionValue',
      message: `The options of ${where} must be an object.`,
    })
  }
  for (const name in given) {
    if (!allowed.includes(name)) {
      throw restInputError({
        code: 'UnknownOption',
        message: `${where} has no option '${name}'. It has: ${allowed.join(', ')}.`,
      })
    }
  }
}

/** The longest that a timer of Node can wait, in milliseconds: beyond it, it would fire at once. */
export const LONGEST_DELAY: number = 2 ** 31 - 1

/**
 * The value of an option that is a number of milliseconds or of things.
 *
 * @param value - what the caller gave
 * @param name - the option, for the message
 * @param where - the function or operation, for the message
 * @throws {@link InputError} (`InvalidOptionValue`) unless it is a whole number from 1 to {@link LONGEST_DELAY}
 */
export function checkWholeNumber(value: unknown, name: string, where: string): number {
  const isWhole = typeof value === 'number' && Number.isInteger(value)
  if (isWhole && value >= 1 && value <= LONGEST_DELAY) return value
  throw restInputError({
    code: 'InvalidOptionValue',
    message: `${name} of ${where} must be a whole number from 1 to ${LONGEST_DELAY}.`,
  })
}
