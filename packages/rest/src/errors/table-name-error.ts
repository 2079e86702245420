import { InputError } from '@rowkey/odata'

/**
 * Thrown when a table name breaks the service's rule: a letter, then 2 to 62 letters and digits.
 */
export class TableNameError extends InputError {
  override readonly name = 'TableNameError'
  override readonly code = 'InvalidTableName'
}
