import { InputError } from '@rowkey/odata'

/**
 * Thrown when an endpoint's URL cannot be one of the Table service.
 */
export class EndpointError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'EndpointError'
  /** What programs branch on. */
  override readonly code = 'InvalidEndpoint'
}
