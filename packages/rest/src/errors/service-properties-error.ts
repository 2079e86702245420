import { InputError } from '@rowkey/odata'

/**
 * Thrown when service properties break a rule of the service: retention from 1 to 365 days, at most
 * 5 CORS rules of 2 KiB together, and the limits of each rule.
 */
export class ServicePropertiesError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'ServicePropertiesError'
  /** What programs branch on. */
  override readonly code = 'InvalidServiceProperties'
}
