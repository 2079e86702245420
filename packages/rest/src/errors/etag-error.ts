import { InputError } from '@rowkey/odata'

/**
 * Thrown when an ETag holds what no header can carry, such as a line break.
 */
export class ETagError extends InputError {
  override readonly name = 'ETagError'
  override readonly code = 'InvalidETag'
}
