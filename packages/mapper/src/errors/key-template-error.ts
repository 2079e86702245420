import { InputError } from '@rowkey/odata'

/**
 * Thrown when a key template cannot be one: an unknown format, two parts that could not be told apart,
 * a property twice. Nothing has been sent; the declaration needs mending.
 */
export class KeyTemplateError extends InputError {
  /** `KeyTemplateError`. */
  override readonly name = 'KeyTemplateError'
  /** `InvalidKeyTemplate`: what programs branch on. */
  override readonly code = 'InvalidKeyTemplate'
}
