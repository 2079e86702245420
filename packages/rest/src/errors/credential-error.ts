import { InputError } from '@rowkey/odata'

/**
 * Thrown when an account name, an account key or a SAS cannot be one. The message never shows it.
 */
export class CredentialError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'CredentialError'
  /** What programs branch on. */
  override readonly code = 'InvalidCredential'
}
