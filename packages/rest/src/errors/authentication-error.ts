import { ServiceError } from './service-error.ts'

/**
 * Thrown when the service does not accept who is asking (401, 403): a wrong or rotated key, a clock
 * that is more than 15 minutes off, or a SAS that does not allow it. The message names the account.
 */
export class AuthenticationError extends ServiceError {
  /** The name of the class, in minified code too. */
  override readonly name = 'AuthenticationError'
}
