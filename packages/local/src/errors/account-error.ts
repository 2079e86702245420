import { InputError } from '@rowkey/odata'

/**
 * Thrown when an account of the embedded service has a name or a key that none can have, or is not
 * known to it. The message never holds a key.
 */
export class AccountError extends InputError {
  /** Always `'AccountError'`. */
  override readonly name = 'AccountError'
  /** Always `'InvalidAccount'`. */
  override readonly code = 'InvalidAccount'
}
