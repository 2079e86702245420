import { InputError } from '@rowkey/odata'

/**
 * Thrown when an option has a value that it cannot have, such as a negative timeout.
 */
export class OptionValueError extends InputError {
  override readonly name = 'OptionValueError'
  override readonly code = 'InvalidOptionValue'
}
