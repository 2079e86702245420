import { InputError } from '@rowkey/odata'

/**
 * Thrown when a page size, a projection or a filter cannot be sent to the service.
 */
export class QueryOptionError extends InputError {
  override readonly name = 'QueryOptionError'
  override readonly code = 'InvalidQueryOption'
}
