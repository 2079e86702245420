import type { Endpoint } from '../endpoint.ts'
import type { HttpRequest } from '../http/http-request.ts'
import type { HttpResponse } from '../http/http-response.ts'
import type { OperationTraits } from '../operation.ts'

/** An answer and what it answers. */
export interface Answered {
  readonly response: HttpResponse
  readonly request: HttpRequest
  readonly operation: OperationTraits
  readonly endpoint: Endpoint
  /** Milliseconds since 1970, UTC, on this machine. */
  readonly now: number
}
