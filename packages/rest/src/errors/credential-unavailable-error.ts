import { RowkeyError } from '@rowkey/odata'

/**
 * Thrown when a call needs a token and whoever provides tokens has failed or given none. The call was
 * not sent. The provider's own error, if there was one, is the `cause`.
 */
export class CredentialUnavailableError extends RowkeyError {
  /** The name of the class, in minified code too. */
  override readonly name = 'CredentialUnavailableError'
  /** What programs branch on. */
  override readonly code = 'CredentialUnavailable'
  /** Always false: nothing was sent without a token. */
  readonly mayHaveApplied = false
}
