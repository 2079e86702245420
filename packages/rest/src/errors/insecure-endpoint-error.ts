import { InputError } from '@rowkey/odata'

/**
 * Thrown when an endpoint is plain http and its host is not this machine, and `allowInsecure` was not
 * given.
 */
export class InsecureEndpointError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'InsecureEndpointError'
  /** What programs branch on. */
  override readonly code = 'InsecureEndpoint'
}
