import { odataInputError } from './codes.ts'
import type { InputError } from './input-error.ts'

/**
 * Makes the InputError (`InvalidOptionValue`) of an option or an argument.
 *
 * @param message - its name, its valid values, and the fix; never a secret
 * @param option - its name, for `details`
 */
export function invalidOption(message: string, option?: string): InputError {
  return odataInputError('InvalidOptionValue', message, option === undefined ? {} : { option })
}
