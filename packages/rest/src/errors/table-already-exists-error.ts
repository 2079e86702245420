import { ServiceError } from './service-error.ts'

/**
 * Thrown when a table of that name exists already (409 `TableAlreadyExists`).
 */
export class TableAlreadyExistsError extends ServiceError {
  /** The name of the class, in minified code too. */
  override readonly name = 'TableAlreadyExistsError'
}
