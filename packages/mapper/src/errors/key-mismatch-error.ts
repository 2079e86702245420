import { InputError } from '@rowkey/odata'

/**
 * Thrown when a key does not have the form of its template: the entity was written by someone who
 * makes keys in another way, or it belongs to another model.
 */
export class KeyMismatchError extends InputError {
  /** `KeyMismatchError`. */
  override readonly name = 'KeyMismatchError'
  /** `KeyMismatch`: what programs branch on. */
  override readonly code = 'KeyMismatch'
}
