import { InputError } from '@rowkey/odata'

/** What a {@link ModelError} is made from. */
export interface ModelErrorOptions {
  /** The class the mistake is in; empty when there is no class to name. */
  readonly className: string
  /** The member the mistake is at, when it is at one. */
  readonly property?: string | undefined
  /** What is wrong, what the rule is, and how to mend it. */
  readonly problem: string
  /** The error below this one, when there is one. */
  readonly cause?: unknown
}

/**
 * Thrown when a class and its decorators cannot be mapped: no PartitionKey, one stored name
 * twice, a decorator where it cannot stand. Nothing has been sent; the class needs mending.
 */
export class ModelError extends InputError {
  /** `ModelError`. */
  override readonly name = 'ModelError'
  /** `InvalidModel`: what programs branch on. */
  override readonly code = 'InvalidModel'
  /** The class the mistake is in; empty when there is no class to name. */
  readonly className: string
  /** The member the mistake is at, when it is at one. */
  readonly property: string | undefined

  constructor({ className, property, problem, cause }: ModelErrorOptions) {
    const place = [className, property].filter(Boolean).join('.')
    super({ message: place === '' ? problem : `${place}: ${problem}`, cause })
    this.className = className
    this.property = property
  }
}
