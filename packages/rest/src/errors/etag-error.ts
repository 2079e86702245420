import { InputError } from '@rowkey/odata'

/**
 * Thrown when an ETag holds what no header can carry, such as a line break.
 */
export class ETagError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'ETagError'
  /** What programs branch on. */
  override readonly code = 'InvalidETag'
}
