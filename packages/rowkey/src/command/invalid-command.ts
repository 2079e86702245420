import type { InputError } from '@rowkey/odata'
import { rowkeyInputError } from '../errors/codes.ts'

/**
 * Makes the error of a command that was called in a wrong way.
 *
 * @param message - what is wrong, and how to correct it
 */
export function invalidCommand(message: string): InputError {
  return rowkeyInputError({ code: 'InvalidCommand', message })
}
