import { TransportError } from './transport-error.ts'

/**
 * Thrown when one attempt took longer than its timeout, from its start to the last byte of the
 * answer.
 */
export class AttemptTimeoutError extends TransportError {
  /** The name of the class, in minified code too. */
  override readonly name = 'AttemptTimeoutError'
  /** What programs branch on. */
  override readonly code = 'AttemptTimeout'
}
