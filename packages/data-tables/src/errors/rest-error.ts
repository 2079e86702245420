import type { PipelineRequest, PipelineResponse } from '../pipeline/interfaces.ts'

/** The options of a {@link RestError}. */
export interface RestErrorOptions {
  /** The code. */
  code?: string
  /** The HTTP status. */
  statusCode?: number
  /** The request. */
  request?: PipelineRequest
  /** The response. */
  response?: PipelineResponse
}

/**
 * A call that failed at the service or on the way: an error response has `statusCode` and
 * `details.odataError.code`, and its message is the body of the response. The `cause` is Rowkey's error, which says
 * what happened in words, and whether a write may have been applied.
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
  /** The code of a request without a response, if the socket has none. */
  static readonly REQUEST_SEND_ERROR: string = 'REQUEST_SEND_ERROR'
  /** The code of a response that cannot be read. */
  static readonly PARSE_ERROR: string = 'PARSE_ERROR'

  /** The service's code: `EntityAlreadyExists`; or the code of the socket: `ECONNREFUSED`. */
  code?: string
  /** The HTTP status. */
  statusCode?: number
  /** The request; it does not appear in logs. */
  declare request?: PipelineRequest
  /** The response; it does not appear in logs. */
  declare response?: PipelineResponse
  /** The headers and the error of the response: `{ odataError: { code, message } }`. */
  details?: unknown
  // The last member of its JSON, as in the official class.
  /** `RestError`. */
  override name: string

  /**
   * @param message - the message
   * @param options - the facts
   */
  constructor(message: string, options: RestErrorOptions & ErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'RestError'
    const { code, statusCode, request, response } = options
    if (code !== undefined) this.code = code
    if (statusCode !== undefined) this.statusCode = statusCode
    // The headers of both contain secrets.
    Object.defineProperty(this, 'request', { value: request, enumerable: false })
    Object.defineProperty(this, 'response', { value: response, enumerable: false })
  }
}
