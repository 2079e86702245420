import { InputError } from '@rowkey/odata'

/**
 * Thrown when an options object has a name that means nothing here, so that a misspelt option never
 * passes in silence.
 */
export class UnknownOptionError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'UnknownOptionError'
  /** What programs branch on. */
  override readonly code = 'UnknownOption'
}
