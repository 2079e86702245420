import type { CallOptions } from '../call-options.ts'
import type { Endpoint } from '../endpoint.ts'
import type { HttpRequest } from '../http/http-request.ts'
import type { HttpResponse } from '../http/http-response.ts'
import type { AttemptLimits } from '../http/transport.ts'
import type { LocationName } from '../location-name.ts'
import type { CallListener } from '../observe/call-event.ts'
import type { CallWatch } from '../observe/call-watch.ts'
import type { Operation } from '../operation.ts'
import type { Credential } from '../sign/credential.ts'
import type { Ask } from '../truth/witness-of.ts'
import type { AttemptResult } from './attempt-result.ts'
import type { ClockSkew } from './clock-skew.ts'
import type { LocationMode } from './location-mode.ts'
import type { OperationContext } from './operation-context.ts'
import type { OwnTables } from './own-tables.ts'
import type { RetryBudget } from './retry-budget.ts'
import type { RetryPolicy } from './retry-policy.ts'
import type { Sleep } from './sleep.ts'

/** What the attempts of one call need from the service that makes them. */
export interface AttemptSettings {
  readonly endpoint: Endpoint
  readonly retry: RetryPolicy
  readonly retryBudget: RetryBudget | undefined
  readonly timeout: number
  readonly deadline: number | undefined
  readonly locationMode: LocationMode
  readonly context: OperationContext | undefined
  readonly onAttempt: ((result: AttemptResult) => void) | undefined
  readonly onEvent: CallListener | undefined
  readonly now: () => number
  readonly random: () => number
  readonly sleep: Sleep
  readonly skew: ClockSkew
  readonly ownTables: OwnTables
}

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

/** What one attempt is to send, and how long it may take. */
export interface AttemptPlan {
  /** Which attempt it is, counted from 1. */
  readonly number: number
  /** What is sent, before it is dated and signed. */
  readonly request: HttpRequest
  /** Where it is sent. */
  readonly location: LocationName
  /** When it begins: milliseconds since 1970, UTC, on this machine. */
  readonly startedAt: number
  /** Milliseconds until its end. */
  readonly timeout: number
  /** Whether even an answer that the operation expects is looked at as a refusal. */
  readonly strict: boolean
}

/** One attempt that is to be made, and those who listen to it. */
export interface BegunAttempt<Input = unknown, Output = unknown> {
  /** The service's part. */
  readonly settings: AttemptSettings
  /** The call's part. */
  readonly call: AttemptedCall<Input, Output>
  /** The attempt's part. */
  readonly plan: AttemptPlan
  /** Those who listen; `undefined` when nobody does. */
  readonly watch: CallWatch | undefined
}

/** How one attempt ended: with a result, or with an error. */
export interface AttemptOutcome<Output> {
  /** The whole answer; `undefined` when none came. */
  readonly response: HttpResponse | undefined
  /** What the attempt failed with; `undefined` when it did not. */
  readonly error: unknown
  /** What the operation made of the answer. */
  readonly output: Awaited<Output> | undefined
  /** The request as it was sent, with its proof; `undefined` when nothing was. */
  readonly sent: HttpRequest | undefined
  /** The date that the request was signed with, in milliseconds; `undefined` when it had none. */
  readonly signedAt: number | undefined
}
