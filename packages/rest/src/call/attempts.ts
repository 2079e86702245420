import type { Endpoint, LocationName } from '../endpoint/endpoint.ts'
import { AbortError } from '../errors/abort-error.ts'
import { BudgetError } from '../errors/budget-error.ts'
import { restInputError } from '../errors/codes.ts'
import { DeadlineError } from '../errors/deadline-error.ts'
import { doubtOf } from '../errors/transport-error.ts'
import {
  type AttemptLimits,
  type HttpRequest,
  type HttpResponse,
  isRead,
  withBody,
} from '../http/transport.ts'
import type { Spending } from '../observe/request-budget.ts'
import type { Operation } from '../request/operation.ts'
import { resourceOf } from '../request/resource.ts'
import { atLocation, Itinerary, type LocationMode } from '../retry/itinerary.ts'
import type { RetryPolicy } from '../retry/retry-policies.ts'
import { isThrottled, isTransient, verdictOf } from '../retry/verdict.ts'
import type { Call } from './call.ts'

/** The service's dates are whole seconds, and its machines' clocks differ a little. */
const DATE_PRECISION = 1_000

/** One attempt to perform an operation. */
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
  /** Ends the attempt alone; absent when nothing but the call ends it. */
  readonly stop?: AbortController | undefined
  /** Whether an error that the operation expects counts as an error too. */
  readonly strict: boolean
  /** Returns milliseconds since 1970, UTC, on this machine. */
  readonly now: () => number
  /** The signed request without its body; `undefined` until it is sent. */
  sent: HttpRequest | undefined
  /** The whole response; `undefined` until it has come. */
  response: HttpResponse | undefined
  /** The error of a failed attempt; `undefined` until it has failed. */
  error: unknown
}

/** The attempts to perform one operation: what they have shown, and what is left of their time. */
export class Attempts<Input = unknown, Output = unknown> {
  /** The call that the operation is part of. */
  readonly call: Call
  /** The operation. */
  readonly operation: Operation<Input, Output>
  /** Its input. */
  readonly input: Input
  /** How many attempts have begun. */
  count = 0
  /** Whether an attempt may have been applied, and nothing has settled it since. */
  inDoubt = false
  /** Whether the credential has had its chance to react to a 401. */
  challenged = false
  /** Whether the clocks have been compared. */
  compared = false
  /** The locations of the attempts. */
  readonly itinerary: Itinerary
  /** Decides whether to retry. */
  readonly policy: RetryPolicy
  /** The request of every attempt, to the primary, without body, date and signature. */
  readonly request: HttpRequest
  /**
   * A moment before the first attempt, by the service's clock. It is `-Infinity` until a response
   * has shown that clock: this machine's clock may be wrong by any amount, and a SAS or a token works
   * despite that.
   */
  since: number = Number.NEGATIVE_INFINITY
  /** Whether {@link since} is a moment just before the first attempt, and not long before. */
  isDated = false

  /** The request with the body of the first attempt, until that is sent. */
  #first: HttpRequest | undefined
  readonly #startedAt: number
  readonly #steadyStart: number
  #primaryError: unknown

  /**
   * @param call - the call
   * @param operation - the operation, as it is sent
   * @param input - its input
   * @throws InputError for an invalid input
   */
  constructor(call: Call, operation: Operation<Input, Output>, input: Input) {
    const { service, given } = call
    const policy = given.retry ?? service.retry
    this.call = call
    this.operation = operation
    this.input = input
    this.#first = operation.toRequest(input, service.endpoint)
    this.request = identified(this.#first, call)
    this.#startedAt = service.now()
    this.#steadyStart = service.steadyNow()
    this.policy = policy.forCall?.(operation.name) ?? policy
    this.itinerary = new Itinerary(this.#mode, service.regions)
  }

  /**
   * Begins the next attempt.
   *
   * @throws `AbortError`, {@link DeadlineError} or {@link BudgetError} when the call must end first
   */
  begin(): Attempt {
    const { signal, left } = this.call
    if (signal?.aborted) throw this.abortError(signal.reason)
    if (left <= 0) throw this.deadlineError()
    this.checkBudget()
    const { location, mayLag } = this.itinerary
    return this.#attemptAt(location, mayLag)
  }

  /** Begins a second read at the secondary; `undefined` when the call or the account allows no further request. */
  beginHedge(): Attempt | undefined {
    const { service, spendings, left } = this.call
    if (left <= 0 || spendings.some(({ isOver }) => isOver)) return undefined
    return service.regions.hedge() ? this.#attemptAt('secondary', true) : undefined
  }

  /** Milliseconds after which a second read may be sent; `undefined` when none is sent. */
  get hedgeAfter(): number | undefined {
    const { given, service } = this.call
    return this.itinerary.mayHedge ? (given.hedgeAfter ?? service.hedgeAfter) : undefined
  }

  #attemptAt(location: LocationName, mayLag: boolean): Attempt {
    const { service, given, endsAt, spendings } = this.call
    const { timeout = service.timeout } = given
    for (const spending of spendings) spending.spent++
    const startedAt = service.now()
    const stop = this.hedgeAfter === undefined ? undefined : new AbortController()
    const signal =
      stop && given.signal
        ? AbortSignal.any([given.signal, stop.signal])
        : (stop?.signal ?? given.signal)
    return {
      number: ++this.count,
      endpoint: service.endpoint,
      location,
      request: atLocation(this.request, service.endpoint, location),
      input: this.input,
      startedAt,
      date: service.skew.correct(startedAt),
      limits: { signal, timeout: Math.min(timeout, endsAt - startedAt) },
      stop,
      strict: this.inDoubt || mayLag,
      now: service.now,
      sent: undefined,
      response: undefined,
      error: undefined,
    }
  }

  /**
   * Returns the body of the next attempt. Nothing here keeps it while the attempt waits, so that the garbage collector can free
   * it. A retry makes it again.
   */
  takeBody(): string | undefined {
    const { operation, input, call } = this
    const { body } = this.#first ?? operation.toRequest(input, call.service.endpoint)
    this.#first = undefined
    return body
  }

  /** Records an attempt that has succeeded. */
  succeeded({ startedAt, location }: Attempt, output: unknown): void {
    const { retryBudget, ownTables, regions } = this.call.service
    retryBudget?.earn()
    regions.succeeded(location)
    ownTables.record(this, output, startedAt)
  }

  /** Records what a failed attempt has shown. */
  record(attempt: Attempt): void {
    const { location, error, response, sent } = attempt
    if (sent === undefined) for (const spending of this.call.spendings) spending.spent--
    if (location === 'primary') this.#primaryError = error
    if (isTransient(attempt) && !isThrottled(error)) this.call.service.regions.failed(location)
    if (verdictOf(attempt) === 'may have applied' && !isRead(this.request)) this.inDoubt = true
    if (response !== undefined) this.readClock(response)
  }

  /** Reads the service's clock from the Date of a response that has just arrived. */
  readClock({ headers }: HttpResponse): void {
    const { now, steadyNow } = this.call.service
    const shown = now() - this.#startedAt
    const steady = steadyNow() - this.#steadyStart
    const since = Date.parse(headers.date ?? '') - Math.max(shown, steady) - DATE_PRECISION
    // Not when one clock was set during the call, or stood still while the machine slept.
    const isDated = Math.abs(shown - steady) < DATE_PRECISION
    if (Number.isNaN(since) || (this.isDated && !isDated)) return
    this.since = since
    this.isDated = isDated
  }

  /**
   * Ends a call that may make no further request.
   *
   * @param cause - the error of the last attempt
   * @throws BudgetError when the budget is spent
   */
  checkBudget(cause?: unknown): void {
    const overspent = this.call.spendings.find(({ isOver }) => isOver)
    if (overspent !== undefined) throw this.budgetError(overspent, cause)
  }

  /** Tells whether the deadline would have passed after a wait. */
  isOverAfter(delay: number): boolean {
    return this.call.left <= delay
  }

  /**
   * Returns the error of a call that makes no further attempt. A 404 of a secondary counts only if
   * the primary has not failed otherwise.
   */
  lastError({ location, response, error }: Attempt): unknown {
    return location === 'secondary' && response?.status === 404
      ? (this.#primaryError ?? error)
      : error
  }

  /** Makes the error of a call that its signal ended. */
  abortError(reason: unknown): AbortError {
    return new AbortError({ reason, mayHaveApplied: this.inDoubt })
  }

  /** Makes the error of a call that ran out of time. */
  deadlineError(cause?: unknown): DeadlineError {
    return new DeadlineError({
      message: `${this.operation.name} did not finish within its deadline, in ${attempts(this.count)}.${doubtOf(this.inDoubt)}`,
      mayHaveApplied: this.inDoubt,
      attempts: this.count,
      cause,
    })
  }

  /** Makes the error of a call that may make no further request. */
  budgetError({ spent }: Pick<Spending, 'spent'>, cause?: unknown): BudgetError {
    const { operation, input, call, count, inDoubt } = this
    const resource = resourceOf(input, call.service.endpoint)
    const requests = `${spent} ${spent === 1 ? 'request' : 'requests'}`
    const made = count === 0 ? 'was not sent' : `did not succeed in ${attempts(count)}`
    return new BudgetError({
      message: `${operation.name} of ${resource} ${made}: the call has made ${requests}, all that its budget allows. Raise budget.requests, or go on in another call.${doubtOf(inDoubt)}`,
      mayHaveApplied: inDoubt,
      attempts: count,
      requests: spent,
      cause,
    })
  }

  /** Writes always go to the primary, and some reads are bound to one location. */
  get #mode(): LocationMode {
    const { operation, input, call, request } = this
    const { given, service } = call
    if (operation.location === 'secondary') return 'secondaryOnly'
    if (!isRead(request)) return 'primaryOnly'
    const pinned = operation.locationOf?.(input)
    if (pinned !== undefined) return pinnedTo(pinned, service.endpoint.secondary !== undefined)
    return given.locationMode ?? service.locationMode
  }
}

/** Writes `1 attempt`, or `2 attempts`. */
export function attempts(count: number): string {
  return `${count} ${count === 1 ? 'attempt' : 'attempts'}`
}

/** Adds the headers that the service logs, and removes the body. The id, which the service returns, is the same in all attempts. */
function identified(request: HttpRequest, { service }: Call): HttpRequest {
  const { userAgent } = service
  const id = service.newId()
  const headers =
    userAgent === undefined
      ? { 'x-ms-client-request-id': id, ...request.headers }
      : { 'x-ms-client-request-id': id, 'user-agent': userAgent, ...request.headers }
  return { ...withBody(request, undefined), headers }
}

function pinnedTo(location: LocationName, hasSecondary: boolean): LocationMode {
  if (location === 'primary') return 'primaryOnly'
  if (hasSecondary) return 'secondaryOnly'
  throw restInputError({
    code: 'InvalidContinuationToken',
    message:
      'The continuation token came from a secondary, but the endpoint has no secondary. Set TableSecondaryEndpoint in the connection string, or start without a token.',
  })
}
