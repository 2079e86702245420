import type { RowkeyError } from '@rowkey/odata'
import type { CallOptions } from '../call-options.ts'
import type { Endpoint } from '../endpoint.ts'
import type { HttpRequest } from '../http/http-request.ts'
import type { HttpResponse } from '../http/http-response.ts'
import type { AttemptLimits } from '../http/transport.ts'
import type { CallListener } from '../observe/call-event.ts'
import type { OperationTraits } from '../operation.ts'
import type { AttemptResult } from './attempt-result.ts'
import type { OperationContext } from './operation-context.ts'
import type { RetryPolicy } from './retry-policy.ts'
import type { Sleep } from './sleep.ts'

/** What the attempts of one call need from the service that makes them. */
export interface AttemptSettings {
  readonly endpoint: Endpoint
  readonly retry: RetryPolicy
  readonly timeout: number
  readonly context: OperationContext | undefined
  readonly onAttempt: ((result: AttemptResult) => void) | undefined
  readonly onEvent: CallListener | undefined
  readonly now: () => number
  readonly random: () => number
  readonly sleep: Sleep
}

/** What is the same for every attempt of one call. */
export interface AttemptedCall {
  readonly request: HttpRequest
  readonly operation: OperationTraits
  readonly options: CallOptions
  /** Dates, signs and sends the request once more. */
  readonly send: (limits: AttemptLimits) => Promise<HttpResponse>
}

/** How one attempt ended: an answer, an error, or an answer that is one. */
export interface AttemptOutcome {
  readonly response: HttpResponse | undefined
  readonly error: RowkeyError | undefined
}
