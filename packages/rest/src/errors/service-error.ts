import { brand, RowkeyError } from '@rowkey/odata'

/** The options of a {@link ServiceError}. */
export type ServiceErrorOptions = Pick<
  ServiceError,
  'message' | 'status' | 'code' | 'requestId' | 'operation' | 'mayHaveApplied'
>

/**
 * Thrown when the service returns an error. `code` is the service's own error code.
 *
 * A proxy may return an error too, such as a page of HTML. Then `code` is `Http` and the status, the class
 * is `ServiceError` itself, and the message says that the response is not the service's.
 *
 * Subclasses exist where programs branch: {@link EntityNotFoundError},
 * {@link EntityAlreadyExistsError}, {@link ETagMismatchError}, {@link TableNotFoundError},
 * {@link TableAlreadyExistsError}, {@link AuthenticationError} and {@link BatchError}.
 */
export class ServiceError extends RowkeyError {
  static {
    brand(ServiceError, 'rowkey.serviceError')
  }

  /** The name of the class, in minified code too. */
  override readonly name: string = 'ServiceError'
  /** The service's error code, such as `InvalidInput`; `Http502` when the response has none. */
  declare readonly code: string
  /**
   * The status of the Table service's response. Web frameworks take it for their own response: docs/errors.md has
   * one line against this for each.
   */
  declare readonly status: number
  /** The service's id of the request, for its support; `undefined` when the response has none. */
  declare readonly requestId: string | undefined
  /** The operation that failed, such as `insertEntity`. */
  declare readonly operation: string
  /**
   * Whether the write may have been applied, as after a 500. Always `false` for a read, and for a
   * response that says why the service rejected the request.
   */
  declare readonly mayHaveApplied: boolean
  /** How many attempts were made, the last one included; 0 for a write that was rejected before it was sent. */
  attempts = 1

  constructor({ message, ...facts }: ServiceErrorOptions) {
    super({ message })
    Object.assign(this, facts)
  }
}

/** Thrown when no entity has the PartitionKey and RowKey (404 `ResourceNotFound`). */
export class EntityNotFoundError extends ServiceError {
  static {
    brand(EntityNotFoundError, 'rowkey.entityNotFoundError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'EntityNotFoundError'
}

/** Thrown when an insert finds an entity with the same keys (409 `EntityAlreadyExists`). */
export class EntityAlreadyExistsError extends ServiceError {
  static {
    brand(EntityAlreadyExistsError, 'rowkey.entityAlreadyExistsError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'EntityAlreadyExistsError'
}

/** Thrown when the entity has changed since it was read (412). */
export class ETagMismatchError extends ServiceError {
  static {
    brand(ETagMismatchError, 'rowkey.eTagMismatchError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'ETagMismatchError'
}

/** Thrown when the table does not exist (404 `TableNotFound`, or `ResourceNotFound` on its deletion). */
export class TableNotFoundError extends ServiceError {
  static {
    brand(TableNotFoundError, 'rowkey.tableNotFoundError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'TableNotFoundError'
}

/** Thrown when a table of the same name already exists (409 `TableAlreadyExists`). */
export class TableAlreadyExistsError extends ServiceError {
  static {
    brand(TableAlreadyExistsError, 'rowkey.tableAlreadyExistsError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'TableAlreadyExistsError'
}

/**
 * Thrown when the service rejects the credential (401, 403): a wrong or rotated key, a clock that is
 * more than 15 minutes off, or a missing permission. The message names the account.
 */
export class AuthenticationError extends ServiceError {
  static {
    brand(AuthenticationError, 'rowkey.authenticationError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'AuthenticationError'
}
