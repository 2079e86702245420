import { ServiceError } from '@rowkey/rest'

/** The service's error, as its JSON has it. */
export interface OdataError {
  /** The service's code: `EntityAlreadyExists`. */
  readonly code: string
  /** The service's message. */
  readonly message: {
    /** `en-US`. */
    readonly lang: string
    /** The text. */
    readonly value: string
  }
}

/**
 * An error response of the service, in the form of the official client: `statusCode` and
 * `details.odataError.code`. Its `cause` is Rowkey's error, which also has the attempts, the request id,
 * and whether a write may have been applied.
 *
 * @example
 * ```ts
 * await client.createEntity(entity).catch((error: unknown) => {
 *   if (error instanceof RestError && error.statusCode === 409) return
 *   throw error
 * })
 * ```
 */
export class RestError extends Error {
  /** `RestError`. */
  override readonly name = 'RestError'
  /** The HTTP status. */
  readonly statusCode: number
  /** The service's code: `EntityAlreadyExists`. */
  readonly code: string
  /** The service's own words. */
  readonly details: {
    /** The error of the response. */
    readonly odataError: OdataError
  }

  /** @param cause - Rowkey's error */
  constructor(cause: ServiceError) {
    super(cause.message, { cause })
    this.statusCode = cause.status
    this.code = cause.code
    const message = { lang: 'en-US', value: cause.message }
    this.details = { odataError: { code: cause.code, message } }
  }

  /** Returns what `JSON.stringify` shows. */
  toJSON(): Readonly<Record<string, unknown>> {
    const { name, code, message, statusCode, details } = this
    return { name, code, message, statusCode, details }
  }
}

/** Turns Rowkey's error into one that callers of the official client know; leaves all others as they are. */
export function toRestError(error: unknown): unknown {
  return error instanceof ServiceError ? new RestError(error) : error
}
