import { RowkeyError } from '@rowkey/odata'

/** What a {@link ModelError} is made from. */
export interface ModelErrorOptions {
  /** The class with the mistake; empty when there is no class to name. */
  readonly className: string
  /** The member with the mistake, when it is at one. */
  readonly property?: string | undefined
  /** What is wrong, the rule, and what to do. */
  readonly problem: string
  /** The error below this one, when there is one. */
  readonly cause?: unknown
}

/**
 * Thrown when a class, its decorators or a model cannot be mapped: a missing PartitionKey, one stored name
 * for two members, a decorator on the wrong member. It is a mistake in the program, and no input can cause it,
 * so it is not an `InputError`.
 */
export class ModelError extends RowkeyError {
  /** `ModelError`. */
  override readonly name = 'ModelError'
  /** `InvalidModel`: what programs branch on. */
  override readonly code = 'InvalidModel'
  /** The class with the mistake; empty when there is no class to name. */
  readonly className: string
  /** The member with the mistake, when it is at one. */
  readonly property: string | undefined

  constructor({ className, property, problem, cause }: ModelErrorOptions) {
    const place = [className, property].filter(Boolean).join('.')
    super({ message: place === '' ? problem : `${place}: ${problem}`, cause })
    this.className = className
    this.property = property
  }
}
