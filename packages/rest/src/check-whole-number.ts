import { OptionValueError } from './errors/option-value-error.ts'

/** The longest that a timer of Node can wait, in milliseconds: beyond it, it would fire at once. */
export const LONGEST_DELAY: number = 2 ** 31 - 1

/**
 * The value of an option that is a number of milliseconds or of things.
 *
 * @param value - what the caller gave
 * @param name - the option, for the message
 * @param where - the function or operation, for the message
 * @throws {@link OptionValueError} unless it is a whole number from 1 to {@link LONGEST_DELAY}
 */
export function checkWholeNumber(value: unknown, name: string, where: string): number {
  const isWhole = typeof value === 'number' && Number.isInteger(value)
  if (isWhole && value >= 1 && value <= LONGEST_DELAY) return value
  throw new OptionValueError({
    message: `${name} of ${where} must be a whole number from 1 to ${LONGEST_DELAY}.`,
  })
}
