import { InputError } from '@rowkey/odata'

/** What a {@link KeyPartError} is made from. */
export interface KeyPartErrorOptions {
  /** The class or model whose key it is, when it is one's. */
  readonly className?: string | undefined
  /** The property that is a part of the key. */
  readonly property: string
  /** What is wrong, what the rule is, and how to mend it. */
  readonly problem: string
  /** The error below this one, when there is one. */
  readonly cause?: unknown
}

/**
 * Thrown when a value cannot be a part of a key: it is missing, or of another kind than the part's
 * format takes, or it holds what separates the parts. Nothing has been sent.
 */
export class KeyPartError extends InputError {
  /** `KeyPartError`. */
  override readonly name = 'KeyPartError'
  /** `InvalidKeyPart`: what programs branch on. */
  override readonly code = 'InvalidKeyPart'
  /** The property that is a part of the key. */
  readonly property: string
  /** What is wrong, without the place. */
  readonly problem: string

  constructor({ className, property, problem, cause }: KeyPartErrorOptions) {
    super({ message: `${[className, property].filter(Boolean).join('.')}: ${problem}`, cause })
    this.property = property
    this.problem = problem
  }
}
