import { InputError } from '@rowkey/odata'

/** What a {@link JsonValueError} is made from. */
export interface JsonValueErrorOptions {
  /** What is wrong, what the rule is, and how to mend it. */
  readonly message: string
  /** Where in the value: `lines.0.price`; empty for the value itself. */
  readonly path?: string | undefined
  /** The error below this one, when there is one. */
  readonly cause?: unknown
}

/**
 * Thrown when JSON text could not hold a value without loss, when stored text is not JSON, and when a
 * schema refuses what was given or stored.
 */
export class JsonValueError extends InputError {
  /** `JsonValueError`. */
  override readonly name = 'JsonValueError'
  /** `InvalidJsonValue`: what programs branch on. */
  override readonly code = 'InvalidJsonValue'
  /** Where in the value: `lines.0.price`; empty for the value itself. */
  readonly path: string

  constructor({ message, path = '', cause }: JsonValueErrorOptions) {
    super({ message, cause })
    this.path = path
  }
}
