import { restInputError } from '../errors/codes.ts'
import type { HttpRequest } from '../http/transport.ts'

const ACL = /(?:^|&)comp=acl(?:&|$)/

/**
 * Rejects a request about stored access policies, which only an account key can send.
 *
 * @param request - the request
 * @param proof - what the credential has in place of the key, for the message
 * @throws `InputError` (`AccountKeyRequired`)
 */
export function checkNotAcl({ query }: Pick<HttpRequest, 'query'>, proof: string): void {
  if (!ACL.test(query)) return
  throw restInputError({
    code: 'AccountKeyRequired',
    message: `Stored access policies need the account key; no ${proof} can read or set them.`,
  })
}
