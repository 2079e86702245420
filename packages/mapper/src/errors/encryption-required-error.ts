import { InputError } from '@rowkey/odata'

/** What an {@link EncryptionRequiredError} is made from. */
export interface EncryptionRequiredErrorOptions {
  /** What would be stored or read in the clear, what the rule is, and how to mend it. */
  readonly message: string
  /** The property that would, when it is one of a class or model. */
  readonly property?: string | undefined
}

/**
 * Thrown when an account that requires encryption is to open a table whose entities would be stored in
 * the clear, by accident or because nobody declared them. Nothing has been sent.
 */
export class EncryptionRequiredError extends InputError {
  /** `EncryptionRequiredError`. */
  override readonly name = 'EncryptionRequiredError'
  /** `EncryptionRequired`: what programs branch on. */
  override readonly code = 'EncryptionRequired'
  /** The property; `undefined` when it is not about one. */
  readonly property: string | undefined

  constructor({ message, property }: EncryptionRequiredErrorOptions) {
    super({ message })
    this.property = property
  }
}
