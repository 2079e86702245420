import type { LocationName } from '../endpoint/endpoint.ts'
import { AbortError } from '../errors/abort-error.ts'
import { restInputError } from '../errors/codes.ts'
import { DeadlineError } from '../errors/deadline-error.ts'
import { doubtOf } from '../errors/transport-error.ts'
import { type HttpRequest, type HttpResponse, isRead } from '../http/transport.ts'
import { endOf } from './deadline.ts'
import { atLocation, Itinerary, type LocationMode } from './itinerary.ts'
import type { RetryPolicy } from './retry-policies.ts'
import type { Attempt, AttemptOutcome, Call } from './types.ts'
import { verdictOf } from './verdict.ts'

/** The service's dates are whole seconds, and its machines' clocks differ a little. */
const DATE_PRECISION = 1_000

/** The state of one call: what its attempts have shown, and what is left of its time. */
export class CallProgress {
  /** How many attempts have begun. */
  attempts = 0
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
  /** When the call must be over; milliseconds since 1970, UTC, on this machine. */
  readonly endsAt: number | undefined
  /**
   * A moment before the first attempt, by the service's clock. It is `-Infinity` until a response
   * has shown that clock: this machine's clock may be wrong by any amount, and a SAS or a token works
   * despite that.
   */
  since: number = Number.NEGATIVE_INFINITY
  /** Whether {@link since} is a moment just before the first attempt, and not long before. */
  isDated = false

  readonly #call: Call
  readonly #request: HttpRequest
  readonly #startedAt: number
  readonly #steadyStart: number
  #primaryError: unknown

  /**
   * @param call - the call
   * @param request - its request, to the primary, without body
   */
  constructor(call: Call, request: HttpRequest) {
    const { options, operation, service } = call
    const policy = options.retry ?? service.defaults.retry
    this.#call = call
    this.#request = request
    this.#startedAt = service.defaults.now()
    this.#steadyStart = service.defaults.steadyNow()
    this.endsAt = endOf(options, service.defaults)
    this.policy = policy.forCall?.(operation.name) ?? policy
    this.itinerary = new Itinerary(modeOf(call, request))
  }

  /**
   * Begins the next attempt.
   *
   * @throws `AbortError` or {@link DeadlineError} when the call must end first
   */
  begin(): Attempt {
    const { service, options, input } = this.#call
    const { endpoint, defaults } = service
    const { signal, timeout = defaults.timeout } = options
    if (signal?.aborted) throw this.abortError(signal.reason)
    const startedAt = defaults.now()
    const left = this.leftAt(startedAt)
    if (left <= 0) throw this.deadlineError()
    const { location, mayLag } = this.itinerary
    return {
      number: ++this.attempts,
      endpoint,
      location,
      request: atLocation(this.#request, endpoint, location),
      input,
      startedAt,
      date: defaults.skew.correct(startedAt),
      limits: { signal, timeout: Math.min(timeout, left) },
      closing: defaults.closing,
      strict: this.inDoubt || mayLag,
      now: defaults.now,
      sent: undefined,
      response: undefined,
    }
  }

  /** Records what a failed attempt has shown. */
  record(outcome: AttemptOutcome): void {
    const { attempt, error, response } = outcome
    if (attempt.location === 'primary') this.#primaryError = error
    if (verdictOf(outcome) === 'may have applied' && !isRead(this.#request)) this.inDoubt = true
    if (response !== undefined) this.readClock(response)
  }

  /** Reads the service's clock from the Date of a response that has just arrived. */
  readClock({ headers }: HttpResponse): void {
    const { now, steadyNow } = this.#call.service.defaults
    const shown = now() - this.#startedAt
    const steady = steadyNow() - this.#steadyStart
    const since = Date.parse(headers.date ?? '') - Math.max(shown, steady) - DATE_PRECISION
    // Not when one clock was set during the call, or stood still while the machine slept.
    const isDated = Math.abs(shown - steady) < DATE_PRECISION
    if (Number.isNaN(since) || (this.isDated && !isDated)) return
    this.since = since
    this.isDated = isDated
  }

  /** Returns milliseconds until the call must be over; `Infinity` without a deadline. */
  leftAt(now: number): number {
    return (this.endsAt ?? Number.POSITIVE_INFINITY) - now
  }

  /** Tells whether the deadline would have passed after a wait. */
  isOverAfter(delay: number): boolean {
    return this.endsAt !== undefined && this.#call.service.defaults.now() + delay >= this.endsAt
  }

  /**
   * Returns the error of a call that makes no further attempt. A 404 of a secondary counts only if
   * the primary has not failed otherwise.
   */
  lastError({ attempt, response, error }: AttemptOutcome): unknown {
    return attempt.location === 'secondary' && response?.status === 404
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
      message: `${this.#call.operation.name} did not finish within its deadline, in ${attempts(this.attempts)}.${doubtOf(this.inDoubt)}`,
      mayHaveApplied: this.inDoubt,
      attempts: this.attempts,
      cause,
    })
  }
}

/** Writes `1 attempt`, or `2 attempts`. */
export function attempts(count: number): string {
  return `${count} ${count === 1 ? 'attempt' : 'attempts'}`
}

/** Writes always go to the primary, and some reads are bound to one location. */
function modeOf({ operation, input, options, service }: Call, request: HttpRequest): LocationMode {
  if (operation.location === 'secondary') return 'secondaryOnly'
  if (!isRead(request)) return 'primaryOnly'
  const pinned = operation.locationOf?.(input)
  if (pinned !== undefined) return pinnedTo(pinned, service.endpoint.secondary !== undefined)
  return options.locationMode ?? service.defaults.locationMode
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
