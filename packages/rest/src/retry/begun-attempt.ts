import type { HttpRequest } from '../http/http-request.ts'
import type { HttpResponse } from '../http/http-response.ts'
import type { LocationName } from '../location-name.ts'
import type { CallWatch } from '../observe/call-watch.ts'
import type { AttemptSettings } from './attempt-settings.ts'
import type { AttemptedCall } from './attempted-call.ts'

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
