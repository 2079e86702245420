import { InputError } from '@rowkey/odata'

/**
 * Thrown when an endpoint's URL cannot be one of the Table service.
 */
export class EndpointError extends InputError {
  override readonly name = 'EndpointError'
  override readonly code = 'InvalidEndpoint'
}
