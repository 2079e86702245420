import { RowkeyError } from '@rowkey/odata'

/** What a {@link ServiceError} is made from. */
export interface ServiceErrorOptions {
  /** The service's own words, with the operation, the table, the status, the code and the request id. */
  readonly message: string
  /** The answer's HTTP status. */
  readonly status: number
  /** The service's error code, such as `InvalidInput`. */
  readonly code: string
  /** The service's id of the request, for its support. */
  readonly requestId: string | undefined
  /** The operation that failed, such as `insertEntity`. */
  readonly operation: string
  /** Whether the service may have done what was asked. */
  readonly mayHaveApplied: boolean
}

/**
 * Thrown when the service said no. `code` is the service's own error code.
 *
 * There are subclasses where programs branch: {@link EntityNotFoundError},
 * {@link EntityAlreadyExistsError}, {@link ETagMismatchError}, {@link TableNotFoundError},
 * {@link TableAlreadyExistsError}, {@link AuthenticationError} and {@link BatchError}.
 */
export class ServiceError extends RowkeyError {
  /** The name of the class, in minified code too. */
  override readonly name: string = 'ServiceError'

  /** The service's error code, such as `InvalidInput`; `Http502` when the answer has none. */
  readonly code: string

  /** The answer's HTTP status. */
  readonly status: number

  /** The service's id of the request, for its support. */
  readonly requestId: string | undefined

  /** The operation that failed, such as `insertEntity`. */
  readonly operation: string

  /**
   * Whether the service may have done what was asked, as after a 500. Always `false` for a read and
   * for an answer that says why it refused.
   */
  readonly mayHaveApplied: boolean

  /** How many attempts were made, the last one included. */
  attempts = 1

  constructor(options: ServiceErrorOptions) {
    super({ message: options.message })
    this.code = options.code
    this.status = options.status
    this.requestId = options.requestId
    this.operation = options.operation
    this.mayHaveApplied = options.mayHaveApplied
  }
}
