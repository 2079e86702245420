import { InputError } from '@rowkey/odata'

/**
 * Thrown when stored access policies break a rule of the service: at most 5 for a table, each with
 * an id of 1 to 64 characters of its own, valid instants and the letters of `raud`.
 */
export class AccessPolicyError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'AccessPolicyError'
  /** What programs branch on. */
  override readonly code = 'InvalidAccessPolicy'
}
