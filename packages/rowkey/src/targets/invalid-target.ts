import type { InputError } from '@rowkey/odata'
import { rowkeyInputError } from '../errors/codes.ts'

/**
 * Makes the error for a target that `connect` cannot open.
 *
 * @param target - the kind of target, never its whole text, which may contain a key
 */
export function invalidTarget(target: string): InputError {
  return rowkeyInputError({
    code: 'InvalidTarget',
    message:
      `connect() cannot open ${target}. Give 'memory:' or 'file:./data' for an embedded ` +
      `service, a connection string such as 'UseDevelopmentStorage=true', a URL with a shared access ` +
      'signature, or { endpoint, credential }.',
  })
}
