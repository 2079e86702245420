import { brand, RowkeyError } from '@rowkey/odata'

/** The options of a {@link ModelError}. */
export interface ModelErrorOptions {
  /** The class with the mistake; empty without a class. */
  readonly className: string
  /** The member with the mistake, if it concerns one. */
  readonly property?: string | undefined
  /** The message: the problem, the rule, and the fix. */
  readonly problem: string
  /** The error that caused this one. */
  readonly cause?: unknown
}

/**
 * Thrown when a class, its decorators or a model cannot be mapped: a missing PartitionKey, one stored
 * name for two members, a decorator on the wrong member. It is a mistake in the program, not in its
 * input, and therefore not an `InputError`.
 */
export class ModelError extends RowkeyError {
  static {
    brand(ModelError, 'rowkey.modelError')
  }

  /** `ModelError`. */
  override readonly name = 'ModelError'
  /** `InvalidModel`: what programs branch on. */
  override readonly code = 'InvalidModel'
  /** The class with the mistake; empty without a class. */
  readonly className: string
  /** The member with the mistake, if it concerns one. */
  readonly property: string | undefined

  constructor({ className, property, problem, cause }: ModelErrorOptions) {
    const place = [className, property].filter(Boolean).join('.')
    super({ message: place === '' ? problem : `${place}: ${problem}`, cause })
    this.className = className
    this.property = property
  }
}
