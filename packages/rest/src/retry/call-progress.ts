import { AbortError } from '../errors/abort-error.ts'
import { ContinuationTokenError } from '../errors/continuation-token-error.ts'
import { DeadlineError } from '../errors/deadline-error.ts'
import { isRead } from '../http/http-request.ts'
import type { HttpResponse } from '../http/http-response.ts'
import type { LocationName } from '../location-name.ts'
import { atLocation } from './at-location.ts'
import type { AttemptSettings } from './attempt-settings.ts'
import { attemptVerdict } from './attempt-verdict.ts'
import type { AttemptedCall } from './attempted-call.ts'
import type { AttemptOutcome, AttemptPlan } from './begun-attempt.ts'
import { endOf } from './deadline.ts'
import { Itinerary } from './itinerary.ts'
import type { LocationMode } from './location-mode.ts'
import type { RetryPolicy } from './retry-policy.ts'

/** The service's dates are whole seconds, and the clocks of its machines are not quite the same. */
const DATE_GRAIN = 1_000

/** How far one call has come: what its attempts have shown, and what is left of its time. */
export class CallProgress {
  /** How many attempts were begun. */
  attempts = 0
  /** Whether an attempt may have been applied, and nothing has settled it since. */
  inDoubt = false
  /** Whether the credential has been asked what to make of a 401. */
  challenged = false
  /** Whether the clocks have been compared. */
  compared = false
  /** Where the attempts go. */
  readonly itinerary: Itinerary
  /** Whether to try again. */
  readonly policy: RetryPolicy
  /** When the call must be over; milliseconds since 1970, UTC, on this machine. */
  readonly endsAt: number | undefined

  readonly #settings: AttemptSettings
  readonly #call: AttemptedCall
  readonly #startedAt: number
  #serverOffset: number | undefined
  #primaryError: unknown

  /**
   * @param settings - the service's part
   * @param call - the call's part
   */
  constructor(settings: AttemptSettings, call: AttemptedCall) {
    const { options, operation } = call
    const policy = options.retry ?? settings.retry
    this.#settings = settings
    this.#call = call
    this.#startedAt = settings.now()
    this.endsAt = endOf(options.deadline ?? settings.deadline, this.#startedAt)
    this.policy = policy.forCall?.(operation.name) ?? policy
    this.itinerary = new Itinerary(modeOf(settings, call))
  }

  /**
   * A moment before the first attempt, by the service's clock. As long as no answer has told that, it
   * is before everything: this machine's clock may be wrong by any amount, and a SAS or a token is
   * taken all the same.
   */
  get since(): number {
    const offset = this.#serverOffset
    if (offset === undefined) return Number.NEGATIVE_INFINITY
    return this.#startedAt + offset - DATE_GRAIN
  }

  /** Whether an answer has told the service's clock. */
  get isDated(): boolean {
    return this.#serverOffset !== undefined
  }

  /**
   * Begins the next attempt.
   *
   * @throws {@link AbortError} or {@link DeadlineError} when it must not be made
   */
  begin(): AttemptPlan {
    const { signal, timeout = this.#settings.timeout } = this.#call.options
    if (signal?.aborted) throw this.abortError(signal.reason)
    const startedAt = this.#settings.now()
    const left = this.leftAt(startedAt)
    if (left <= 0) throw this.deadlineError()
    const { location, mayLag } = this.itinerary
    return {
      number: ++this.attempts,
      request: atLocation(this.#call.request, this.#settings.endpoint, location),
      location,
      startedAt,
      timeout: Math.min(timeout, left),
      strict: this.inDoubt || mayLag,
    }
  }

  /** Notes what an attempt that failed has shown. */
  note(outcome: AttemptOutcome<unknown>, { location }: AttemptPlan): void {
    const { response } = outcome
    if (location === 'primary') this.#primaryError = outcome.error
    const isWrite = !isRead(this.#call.request)
    if (isWrite && attemptVerdict(outcome) === 'may have applied') this.inDoubt = true
    if (response !== undefined) this.learn(response)
  }

  /** Learns the service's clock from the Date of an answer that has just come. */
  learn(response: HttpResponse): void {
    const offset = Date.parse(response.headers.date ?? '') - this.#settings.now()
    if (!Number.isNaN(offset)) this.#serverOffset = offset
  }

  /** Milliseconds until the call must be over; infinite without a deadline. */
  leftAt(now: number): number {
    return (this.endsAt ?? Number.POSITIVE_INFINITY) - now
  }

  /** Whether the time of the call would be over after a wait. */
  isOverAfter(delay: number): boolean {
    return this.endsAt !== undefined && this.#settings.now() + delay >= this.endsAt
  }

  /**
   * What the call fails with when no attempt follows. That the secondary lacks something says little
   * as long as the primary has not been heard.
   */
  lastError({ response, error }: AttemptOutcome<unknown>, { location }: AttemptPlan): unknown {
    return location === 'secondary' && response?.status === 404
      ? (this.#primaryError ?? error)
      : error
  }

  /** The error of a call that its signal ended. */
  abortError(reason: unknown): AbortError {
    return new AbortError({ reason, mayHaveApplied: this.inDoubt })
  }

  /** The error of a call whose time is over. */
  deadlineError(cause?: unknown): DeadlineError {
    const outcome = this.inDoubt ? ' The outcome is unknown: it may have been applied.' : ''
    return new DeadlineError({
      message: `${this.#call.operation.name} was not done within its deadline, in ${this.attempts} attempts.${outcome}`,
      mayHaveApplied: this.inDoubt,
      attempts: this.attempts,
      cause,
    })
  }
}

/** Writes only ever go to the primary, and some reads are for one location alone. */
function modeOf(settings: AttemptSettings, call: AttemptedCall): LocationMode {
  const { operation, request, options } = call
  if (operation.location === 'secondary') return 'secondaryOnly'
  if (!isRead(request)) return 'primaryOnly'
  const pinned = operation.locationOf?.(call.input)
  if (pinned !== undefined) return pinnedTo(pinned, settings)
  return options.locationMode ?? settings.locationMode
}

function pinnedTo(location: LocationName, { endpoint }: AttemptSettings): LocationMode {
  if (location === 'primary') return 'primaryOnly'
  if (endpoint.secondary !== undefined) return 'secondaryOnly'
  throw new ContinuationTokenError({
    message:
      'The continuation token came from a secondary, and the endpoint names none. Give TableSecondaryEndpoint in the connection string, or begin without a token.',
  })
}
