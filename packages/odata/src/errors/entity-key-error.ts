import { InputError } from './input-error.ts'
import type { RowkeyErrorOptions } from './rowkey-error.ts'

/** What an {@link EntityKeyError} is made from. */
export interface EntityKeyErrorOptions extends RowkeyErrorOptions {
  /** Which half of the key was refused. */
  readonly property: 'PartitionKey' | 'RowKey'
}

/** Thrown when a PartitionKey or a RowKey is not one that the service can store. */
export class EntityKeyError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'EntityKeyError'
  /** What programs branch on. */
  override readonly code = 'InvalidEntityKey'
  /** Which half of the key was refused. */
  readonly property: 'PartitionKey' | 'RowKey'

  constructor(options: EntityKeyErrorOptions) {
    super(options)
    this.property = options.property
  }
}
