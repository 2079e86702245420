import { InputError } from '@rowkey/odata'

/**
 * Thrown when a page size, a projection or a filter cannot be sent to the service.
 */
export class QueryOptionError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'QueryOptionError'
  /** What programs branch on. */
  override readonly code = 'InvalidQueryOption'
}
