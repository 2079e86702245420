import { ServiceError } from './service-error.ts'

/**
 * Thrown when no entity has the PartitionKey and RowKey (404 `ResourceNotFound`).
 */
export class EntityNotFoundError extends ServiceError {
  override readonly name = 'EntityNotFoundError'
}
