import { InputError } from '@rowkey/odata'

/**
 * Thrown when an endpoint is plain http and its host is not this machine, and `allowInsecure` was not
 * given.
 */
export class InsecureEndpointError extends InputError {
  override readonly name = 'InsecureEndpointError'
  override readonly code = 'InsecureEndpoint'
}
