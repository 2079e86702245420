import {
  DeadlineError,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  ETagMismatchError,
  InputError,
  ServiceError,
  TransportError,
} from 'rowkey'

/** The body of an error response (RFC 9457), and its status. */
export interface Problem {
  readonly status: 400 | 404 | 409 | 412 | 500 | 503
  readonly title: string
  readonly detail?: string
}

/** What the caller of a web API can have caused. Any other `InputError` is a mistake of the program. */
const CAUSED_BY_CALLER: ReadonlySet<string> = new Set([
  'EntityTooLarge',
  'InvalidContinuationToken',
  'InvalidEntity',
  'InvalidEntityKey',
  'InvalidETag',
  'InvalidPropertyValue',
  'UndeclaredProperty',
])

/** Maps an error to a response. A 500 and a 503 say nothing about the storage: log the error. */
export function problemOf(error: unknown): Problem {
  if (error instanceof InputError && CAUSED_BY_CALLER.has(error.code)) {
    return { status: 400, title: 'Bad Request', detail: error.message }
  }
  // Thrown by `request.json()`.
  if (error instanceof SyntaxError) return { status: 400, title: 'Bad Request' }
  if (error instanceof EntityNotFoundError) return { status: 404, title: 'Not Found' }
  if (error instanceof EntityAlreadyExistsError) return { status: 409, title: 'Conflict' }
  if (error instanceof ETagMismatchError) return { status: 412, title: 'Precondition Failed' }
  return isTemporary(error)
    ? { status: 503, title: 'Service Unavailable' }
    : { status: 500, title: 'Internal Server Error' }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof ServiceError) return error.status === 429 || error.status === 503
  return error instanceof TransportError || error instanceof DeadlineError
}
