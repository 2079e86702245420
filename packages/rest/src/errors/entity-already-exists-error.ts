import { ServiceError } from './service-error.ts'

/**
 * Thrown when an insert meets an entity with the same PartitionKey and RowKey (409
 * `EntityAlreadyExists`).
 */
export class EntityAlreadyExistsError extends ServiceError {
  /** The name of the class, in minified code too. */
  override readonly name = 'EntityAlreadyExistsError'
}
