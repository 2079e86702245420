import type { EdmType } from '../edm/edm-type.ts'
import { InputError } from './input-error.ts'
import type { RowkeyErrorOptions } from './rowkey-error.ts'

/** What a {@link PropertyValueError} is made from. */
export interface PropertyValueErrorOptions extends RowkeyErrorOptions {
  /** The stored name of the property, or `''` where nobody knows it. */
  readonly property: string
  /** The type that the value was to have. */
  readonly type: EdmType
}

/**
 * Thrown when a value cannot be held by its Edm type without loss, or JSON is not a value of it.
 *
 * The message says the property, what the type takes and what was given (its kind and size, never
 * the text of a string).
 */
export class PropertyValueError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'PropertyValueError'
  /** What programs branch on. */
  override readonly code = 'InvalidPropertyValue'
  /** The stored name of the property, or `''` where nobody knows it. */
  readonly property: string
  /** The type that the value was to have. */
  readonly type: EdmType

  constructor(options: PropertyValueErrorOptions) {
    super(options)
    this.property = options.property
    this.type = options.type
  }
}
