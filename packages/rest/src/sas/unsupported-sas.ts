import { restInputError } from '../errors/codes.ts'

/**
 * Makes the error for a shared access signature that cannot be made, because WebCrypto signs only asynchronously.
 */
export function unsupportedSas(): Error {
  return restInputError({
    code: 'UnsupportedOperation',
    message:
      'Making a shared access signature needs a synchronous HMAC. Make it on Node, or in a Cloudflare Worker with the compatibility flag nodejs_compat.',
  })
}
