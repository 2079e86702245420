import { ServiceError } from './service-error.ts'

/**
 * Thrown when the stored entity's ETag is not the one that was given, so someone else wrote it since
 * (412 `UpdateConditionNotSatisfied` or `ConditionNotMet`). Read it again and decide.
 */
export class ETagMismatchError extends ServiceError {
  /** The name of the class, in minified code too. */
  override readonly name = 'ETagMismatchError'
}
