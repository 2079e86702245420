import { TransportError } from './transport-error.ts'

/**
 * Thrown when one attempt took longer than its timeout, from its start to the last byte of the
 * answer.
 */
export class AttemptTimeoutError extends TransportError {
  override readonly name = 'AttemptTimeoutError'
  override readonly code = 'AttemptTimeout'
}
