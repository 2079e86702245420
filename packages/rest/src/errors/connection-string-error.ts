import { InputError } from '@rowkey/odata'

/**
 * Thrown when a connection string cannot be read. The message names the pair that is wrong, never its
 * value.
 */
export class ConnectionStringError extends InputError {
  override readonly name = 'ConnectionStringError'
  override readonly code = 'InvalidConnectionString'
}
