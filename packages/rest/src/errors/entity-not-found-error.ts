import { ServiceError } from './service-error.ts'

/**
 * Thrown when no entity has the PartitionKey and RowKey (404 `ResourceNotFound`).
 */
export class EntityNotFoundError extends ServiceError {
  /** The name of the class, in minified code too. */
  override readonly name = 'EntityNotFoundError'
}
