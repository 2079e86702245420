import type { InputError } from '@rowkey/odata'
import { rowkeyInputError } from '../errors/codes.ts'

/**
 * Makes the error for a URL without a credential.
 *
 * @param url - the URL; the message shows its origin, because the rest may contain a piece of a signature
 */
export function unsignedUrl(url: string): InputError {
  const place = URL.canParse(url) ? new URL(url).origin : 'the URL'
  return rowkeyInputError({
    code: 'InvalidTarget',
    message:
      `connect() cannot open ${place}, because the URL has no credential. Append a shared access ` +
      'signature, use a connection string with AccountKey, or pass { endpoint, credential }: ' +
      '{ name, key } or new DefaultAzureCredential().',
  })
}

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
