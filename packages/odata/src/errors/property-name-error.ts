import { InputError } from './input-error.ts'
import type { RowkeyErrorOptions } from './rowkey-error.ts'

/** What a {@link PropertyNameError} is made from. */
export interface PropertyNameErrorOptions extends RowkeyErrorOptions {
  /** The name that was refused; `''` when what was given was no string. */
  readonly property: string
}

/** Thrown when a name cannot name a property, or is reserved for the service. */
export class PropertyNameError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'PropertyNameError'
  /** What programs branch on. */
  override readonly code = 'InvalidPropertyName'
  /** The name that was refused; `''` when what was given was no string. */
  readonly property: string

  constructor(options: PropertyNameErrorOptions) {
    super(options)
    this.property = options.property
  }
}
