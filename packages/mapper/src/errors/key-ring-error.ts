import { InputError } from '@rowkey/odata'

/**
 * Thrown when keys cannot be used: one of the wrong length, an id that no header can hold, a current
 * key that is not among them. The message names key ids, and never shows a key.
 */
export class KeyRingError extends InputError {
  /** `KeyRingError`. */
  override readonly name = 'KeyRingError'
  /** `InvalidKeyRing`: what programs branch on. */
  override readonly code = 'InvalidKeyRing'
}
