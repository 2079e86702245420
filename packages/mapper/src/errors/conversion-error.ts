import { InputError } from '@rowkey/odata'

/** What a {@link ConversionError} is made from. */
export interface ConversionErrorOptions {
  /** Class and member, such as `Customer.address`. */
  readonly property: string
  /** What was to be done: `written` or `read`. */
  readonly action: 'written' | 'read'
  /** What is wrong, what the rule is, and how to mend it. */
  readonly problem: string
  /** The error below this one, when there is one. */
  readonly cause?: unknown
}

/**
 * Thrown when the value of a property cannot be converted to what is stored, or what is stored cannot
 * be converted back: the converter threw, JSON is no JSON, a part of a long value is missing.
 *
 * The message never holds the value.
 */
export class ConversionError extends InputError {
  /** `ConversionError`. */
  override readonly name = 'ConversionError'
  /** `ConversionFailed`: what programs branch on. */
  override readonly code = 'ConversionFailed'
  /** Class and member, such as `Customer.address`. */
  readonly property: string
  /** What was to be done. */
  readonly action: 'written' | 'read'

  constructor({ property, action, problem, cause }: ConversionErrorOptions) {
    super({ message: `${property} cannot be ${action}: ${problem}`, cause })
    this.property = property
    this.action = action
  }
}
