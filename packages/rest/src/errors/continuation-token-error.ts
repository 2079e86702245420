import { InputError } from '@rowkey/odata'

/**
 * Thrown when a text is not a continuation token that {@link printContinuationToken} made.
 */
export class ContinuationTokenError extends InputError {
  override readonly name = 'ContinuationTokenError'
  override readonly code = 'InvalidContinuationToken'
}
