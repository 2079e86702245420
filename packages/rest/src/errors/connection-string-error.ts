import { InputError } from '@rowkey/odata'

/**
 * Thrown when a connection string cannot be read. The message names the pair that is wrong, never its
 * value.
 */
export class ConnectionStringError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'ConnectionStringError'
  /** What programs branch on. */
  override readonly code = 'InvalidConnectionString'
}
