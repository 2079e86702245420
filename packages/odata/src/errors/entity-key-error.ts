import { InputError } from './input-error.ts'
import type { RowkeyErrorOptions } from './rowkey-error.ts'

/** What an {@link EntityKeyError} is made from. */
export interface EntityKeyErrorOptions extends RowkeyErrorOptions {
  /** Which half of the key was refused. */
  readonly property: 'PartitionKey' | 'RowKey'
}

/** Thrown when a PartitionKey or a RowKey is not one that the service can store. */
export class EntityKeyError extends InputError {
  override readonly name = 'EntityKeyError'
  override readonly code = 'InvalidEntityKey'
  /** Which half of the key was refused. */
  readonly property: 'PartitionKey' | 'RowKey'

  constructor(options: EntityKeyErrorOptions) {
    super(options)
    this.property = options.property
  }
}
