import { restInputError } from '../../errors/codes.ts'

/**
 * Stands where an account key must not be: whoever can read a page or what a worker ships has the key,
 * and with it the account.
 */
export class SharedKeyCredential {
  /** @throws {@link InputError} (`InvalidCredential`) always */
  constructor() {
    throw restInputError({
      code: 'InvalidCredential',
      message:
        'An account key is not taken in browsers and workers, where others can read it. Use a SasCredential or a BearerCredential, or run this part on a server.',
    })
  }
}
