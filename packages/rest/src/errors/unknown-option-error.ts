import { InputError } from '@rowkey/odata'

/**
 * Thrown when an options object has a name that means nothing here, so that a misspelt option never
 * passes in silence.
 */
export class UnknownOptionError extends InputError {
  override readonly name = 'UnknownOptionError'
  override readonly code = 'UnknownOption'
}
