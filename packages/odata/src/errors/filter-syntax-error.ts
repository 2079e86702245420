import { InputError } from './input-error.ts'
import type { RowkeyErrorOptions } from './rowkey-error.ts'

/** What a {@link FilterSyntaxError} is made from. */
export interface FilterSyntaxErrorOptions extends RowkeyErrorOptions {
  /** Where in the text, in UTF-16 units from 0; 0 when a tree was given. */
  readonly position: number
}

/** Thrown when the text of a `$filter` cannot be read, or a tree holds what no filter has. */
export class FilterSyntaxError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'FilterSyntaxError'
  /** What programs branch on. */
  override readonly code = 'InvalidFilter'
  /** Where in the text, in UTF-16 units from 0; 0 when a tree was given. */
  readonly position: number

  constructor(options: FilterSyntaxErrorOptions) {
    super(options)
    this.position = options.position
  }
}
