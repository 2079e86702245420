import type { Endpoint, LocationName } from '../endpoint/endpoint.ts'
import type { AttemptLimits, HttpRequest, HttpResponse, Transport } from '../http/transport.ts'
import type { AttemptResult, CallListener } from '../observe/call-event.ts'
import type { CallWatch } from '../observe/call-watch.ts'
import type { OperationContext } from '../observe/operation-context.ts'
import type { Operation } from '../request/operation.ts'
import type { Credential } from '../sign/credential.ts'
import type { Sleep } from '../wait/sleep.ts'
import type { CallOptions } from './call-options.ts'
import type { ClockSkew } from './clock-skew.ts'
import type { LocationMode } from './itinerary.ts'
import type { OwnTables } from './own-tables.ts'
import type { RetryBudget } from './retry-budget.ts'
import type { RetryPolicy } from './retry-policies.ts'

/** The defaults of every call of a service, and the state that its calls share. */
export interface CallDefaults {
  /** Decides whether and when to retry, unless the call has a policy of its own. */
  readonly retry: RetryPolicy
  /** Bounds the retries of all calls together; `undefined` for no bound. */
  readonly retryBudget: RetryBudget | undefined
  /** Milliseconds for one attempt, unless the call says otherwise. */
  readonly timeout: number
  /** Milliseconds for a whole call, unless the call says otherwise; `undefined` for no limit. */
  readonly deadline: number | undefined
  /** Where reads go, unless the call says otherwise. */
  readonly locationMode: LocationMode
  /** Whether writes are exact, unless the call says otherwise. */
  readonly exactWrites: boolean
  /** Records the attempts of every call that has no context of its own. */
  readonly context: OperationContext | undefined
  /** Receives each attempt after it has ended. */
  readonly onAttempt: ((result: AttemptResult) => void) | undefined
  /** Receives the events of calls as they happen. */
  readonly onEvent: CallListener | undefined
  /** Returns milliseconds since 1970, UTC, on this machine. */
  readonly now: () => number
  /** Returns milliseconds since any moment, by a clock that is never set. */
  readonly steadyNow: () => number
  /** Returns a number from 0 up to but not including 1. */
  readonly random: () => number
  /** Aborts when the account is closed. */
  readonly closing: AbortSignal
  /** Waits between attempts. */
  readonly sleep: Sleep
  /** Returns a new id for a call. */
  readonly newId: () => string
  /** The `User-Agent` of every request; `undefined` for none. */
  readonly userAgent: string | undefined
  /** Corrects this machine's clock once responses have shown that it is wrong. */
  readonly skew: ClockSkew
  /** Tables created through this service a moment ago, which the whole service may not know yet. */
  readonly ownTables: OwnTables
}

/** The part of a table service that a call needs. */
export interface CallService {
  /** The account. */
  readonly endpoint: Endpoint
  /** Proves the identity of the caller. */
  readonly credential: Credential
  /** Carries the requests. */
  readonly transport: Transport
  /** Defaults of every call. */
  readonly defaults: CallDefaults
}

/** Performs another operation for a call, with the options of the call that needs it. */
export type PerformOther = <Input, Output>(
  operation: Operation<Input, Output>,
  input: Input,
  options: CallOptions,
) => Promise<Awaited<Output>>

/** The parts that all attempts of one call share. */
export interface Call<Input = unknown, Output = unknown> {
  readonly service: CallService
  readonly operation: Operation<Input, Output>
  readonly input: Input
  readonly options: CallOptions
  /**
   * Reads stored rows, to find out whether a write was applied; an exact write also stores
   * markers.
   */
  readonly perform: PerformOther
}

/** One attempt of a call. */
export interface Attempt {
  /** Which attempt it is, counted from 1. */
  readonly number: number
  /** The account. */
  readonly endpoint: Endpoint
  /** The account's location that the request goes to. */
  readonly location: LocationName
  /** The request for that location, without body, date and signature. */
  readonly request: HttpRequest
  /** The input of the operation. */
  readonly input: unknown
  /** Milliseconds since 1970, UTC, on this machine, when the attempt begins. */
  readonly startedAt: number
  /** The same moment by the service's clock, as far as it is known: the date to sign. */
  readonly date: number
  /** Bounds the attempt. */
  readonly limits: AttemptLimits
  /** Aborts when the account is closed. */
  readonly closing: AbortSignal
  /** Whether an error that the operation expects counts as an error too. */
  readonly strict: boolean
  /** Returns milliseconds since 1970, UTC, on this machine. */
  readonly now: () => number
  /** The signed request without its body; `undefined` until it is sent. */
  sent: HttpRequest | undefined
  /** The whole response; `undefined` until it has come. */
  response: HttpResponse | undefined
}

/**
 * Makes one attempt: signs the request, sends it, checks the response and reads it. It records on the attempt what it sends
 * and receives, and tells the watch when it sends.
 */
export type Send<Output> = (attempt: Attempt, watch: CallWatch | undefined) => Promise<Output>

/** How one attempt ended. */
export interface AttemptOutcome {
  readonly attempt: Attempt
  /** The whole response; `undefined` when none came. */
  readonly response: HttpResponse | undefined
  /** The error of a failed attempt; `undefined` when it succeeded. */
  readonly error: unknown
}
