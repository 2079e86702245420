import { InputError } from '@rowkey/odata'

/**
 * Thrown when a table name breaks the service's rule: a letter, then 2 to 62 letters and digits.
 */
export class TableNameError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'TableNameError'
  /** What programs branch on. */
  override readonly code = 'InvalidTableName'
}
