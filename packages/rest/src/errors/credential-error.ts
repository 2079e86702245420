import { InputError } from '@rowkey/odata'

/**
 * Thrown when an account name, an account key or a SAS cannot be one. The message never shows it.
 */
export class CredentialError extends InputError {
  override readonly name = 'CredentialError'
  override readonly code = 'InvalidCredential'
}
