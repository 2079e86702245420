import { InputError } from '@rowkey/odata'

/**
 * Thrown when a shared access signature is asked for that no service would ever accept. The message
 * names the parameter and its rule.
 */
export class SasError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'SasError'
  /** What programs branch on. */
  override readonly code = 'InvalidSas'
}
