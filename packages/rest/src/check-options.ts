import { OptionValueError } from './errors/option-value-error.ts'
import { UnknownOptionError } from './errors/unknown-option-error.ts'

/**
 * Refuses an options object with a name that means nothing, so that a misspelt option never passes
 * in silence.
 *
 * @param given - what the caller passed
 * @param allowed - every name that means something
 * @param where - the function or class, for the message
 * @throws {@link UnknownOptionError} naming the first unknown option and the allowed ones
 * @throws {@link OptionValueError} when `given` is not an object
 */
export function checkOptions(given: unknown, allowed: readonly string[], where: string): void {
  if (typeof given !== 'object' || given === null) {
    throw new OptionValueError({ message: `The options of ${where} must be an object.` })
  }
  for (const name in given) {
    if (!allowed.includes(name)) {
      throw new UnknownOptionError({
        message: `${where} has no option '${name}'. It has: ${allowed.join(', ')}.`,
      })
    }
  }
}
