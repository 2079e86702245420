import { InputError } from '@rowkey/odata'

/**
 * Thrown when an option has a value that it cannot have, such as a negative timeout.
 */
export class OptionValueError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'OptionValueError'
  /** What programs branch on. */
  override readonly code = 'InvalidOptionValue'
}
