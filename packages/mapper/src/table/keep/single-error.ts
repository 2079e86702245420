import {
  BatchError,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  ETagMismatchError,
  ServiceError,
  TableNotFoundError,
} from '@rowkey/rest'

const CLASSES: Readonly<Record<string, typeof ServiceError>> = {
  ConditionNotMet: ETagMismatchError,
  EntityAlreadyExists: EntityAlreadyExistsError,
  ResourceNotFound: EntityNotFoundError,
  TableNotFound: TableNotFoundError,
  UpdateConditionNotSatisfied: ETagMismatchError,
}

/**
 * Returns the error that a write would have had alone, for a write that was sent in a transaction with the
 * rows that are kept in step with it. Any other error stays as it is.
 */
export function singleError(error: unknown): unknown {
  if (!(error instanceof BatchError) || error.index !== 0) return error
  const { message, status, code, requestId, mayHaveApplied, change } = error
  const operation = change?.operation ?? error.operation
  const Single = CLASSES[code] ?? ServiceError
  const single = new Single({ message, status, code, requestId, operation, mayHaveApplied })
  single.attempts = error.attempts
  return single
}
