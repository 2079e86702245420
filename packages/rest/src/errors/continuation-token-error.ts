import { InputError } from '@rowkey/odata'

/**
 * Thrown when a text is not a continuation token that `printContinuationToken` made, or a
 * continuation token came with another query than the one it is sent with.
 */
export class ContinuationTokenError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'ContinuationTokenError'
  /** What programs branch on. */
  override readonly code = 'InvalidContinuationToken'
}
