import { restInputError } from '../errors/codes.ts'

/**
 * Makes the error for a shared access signature that cannot be made, because WebCrypto signs only asynchronously.
 */
export function unsupportedSas(): Error {
  return restInputError({
    code: 'UnsupportedOperation',
    message:
      'A shared access signature cannot be made in this build, which has no synchronous HMAC. Make it on Node.',
  })
}
