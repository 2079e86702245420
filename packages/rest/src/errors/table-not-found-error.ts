import { ServiceError } from './service-error.ts'

/**
 * Thrown when the table does not exist (404 `TableNotFound`; 404 `ResourceNotFound` when deleting it).
 */
export class TableNotFoundError extends ServiceError {
  /** The name of the class, in minified code too. */
  override readonly name = 'TableNotFoundError'
}
