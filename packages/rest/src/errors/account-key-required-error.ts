import { InputError } from '@rowkey/odata'

/**
 * Thrown when something can be done with the account key only: reading and changing stored access
 * policies, and making a shared access signature. Nothing has been sent.
 */
export class AccountKeyRequiredError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'AccountKeyRequiredError'
  /** What programs branch on. */
  override readonly code = 'AccountKeyRequired'
}
