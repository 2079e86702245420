import type { ConnectionFailure } from '../errors/connection-error.ts'
import type { HttpRequest } from '../http/http-request.ts'
import type { HttpResponse } from '../http/http-response.ts'

/** How a request ended without an answer that could be read. */
export interface RecordedFailure {
  /** The error's code: `TransportFailed`, `ConnectionFailed`, `AttemptTimeout`, `UnexpectedAnswer`. */
  readonly code: string
  /** The error's message. */
  readonly message: string
  /** Whether the service may have done what was asked. */
  readonly mayHaveApplied: boolean
  /** Why no connection came about; only beside `ConnectionFailed`. */
  readonly failure?: ConnectionFailure | undefined
}

/**
 * One request and what came of it, as plain data that can be kept as JSON. Who asked is not in it:
 * neither a signature nor a token nor a SAS.
 */
export interface RecordedExchange {
  /** What was sent, without the proof of who asked. */
  readonly request: HttpRequest
  /** The answer; absent when there was none. */
  readonly response?: HttpResponse | undefined
  /** Why there was no answer; absent when there was one. */
  readonly failure?: RecordedFailure | undefined
}
