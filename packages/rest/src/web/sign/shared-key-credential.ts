import { restInputError } from '../../errors/codes.ts'

/**
 * Replaces the credential of Node where an account key must not be: anyone who can read a page or the
 * code of a worker would have the key, and with it the account.
 */
export class SharedKeyCredential {
  /** @throws `InputError` (`InvalidCredential`) always */
  constructor() {
    throw restInputError({
      code: 'InvalidCredential',
      message:
        'An account key must not be used in browsers and workers, where others can read it. Use a SasCredential or a BearerCredential, or run this part on a server.',
    })
  }
}
