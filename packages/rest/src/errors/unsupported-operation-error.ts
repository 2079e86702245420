import { InputError } from '@rowkey/odata'

/**
 * Thrown when the account has no place that could answer an operation: statistics without a
 * secondary endpoint, or policies and properties of a Cosmos DB account.
 */
export class UnsupportedOperationError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'UnsupportedOperationError'
  /** What programs branch on. */
  override readonly code = 'UnsupportedOperation'
}
