import { InputError } from '@rowkey/odata'

/**
 * Thrown when a text is not a continuation token that {@link printContinuationToken} made.
 */
export class ContinuationTokenError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'ContinuationTokenError'
  /** What programs branch on. */
  override readonly code = 'InvalidContinuationToken'
}
