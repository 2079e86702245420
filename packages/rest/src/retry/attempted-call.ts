import type { CallOptions } from '../call-options.ts'
import type { HttpRequest } from '../http/http-request.ts'
import type { HttpResponse } from '../http/http-response.ts'
import type { AttemptLimits } from '../http/transport.ts'
import type { Operation } from '../operation.ts'
import type { Credential } from '../sign/credential.ts'
import type { Ask } from '../truth/witness-of.ts'

/** What is the same for every attempt of one call. */
export interface AttemptedCall<Input = unknown, Output = unknown> {
  /** What the operation made, for the primary. */
  readonly request: HttpRequest
  /** What is to be done. */
  readonly operation: Operation<Input, Output>
  /** What the operation was given. */
  readonly input: Input
  /** The options of the call. */
  readonly options: CallOptions
  /** As whom to ask. */
  readonly credential: Credential
  /** Makes one attempt: sign → transport → answer → result. */
  readonly attempt: (steps: AttemptSteps) => Promise<Output>
  /** Performs reads that settle the outcome of the call. */
  readonly ask: (options: CallOptions) => Ask
}

/** What every attempt does around the sending: where it goes, from when, for how long, and what counts. */
export interface AttemptSteps {
  /** What bounds the sending. */
  readonly limits: AttemptLimits
  /** The request of this attempt, dated and signed. */
  sign(): Promise<HttpRequest>
  /**
   * The answer, when the operation can use it.
   *
   * @throws what the answer stands for, when it cannot
   */
  accept(response: HttpResponse): Promise<HttpResponse>
}
