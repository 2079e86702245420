import type { Endpoint, LocationName } from '../endpoint/endpoint.ts'
import { invalidOption } from '../errors/codes.ts'
import type { HttpRequest, HttpResponse } from '../http/transport.ts'
import type { OperationContext } from '../observe/operation-context.ts'
import { checkOptions, checkWholeNumber, type OptionNames } from '../options/check-options.ts'
import type { RetryPolicy } from './retry-policies.ts'

/** The options of every call. The service's own options are the defaults. */
export interface CallOptions {
  /** Ends the call, even during a wait; the call then rejects with an `AbortError`. */
  readonly signal?: AbortSignal | undefined
  /**
   * Milliseconds for one attempt, from its start to the last byte of the response.
   *
   * @defaultValue `30_000`, as long as the service itself works on a request
   */
  readonly timeout?: number | undefined
  /**
   * Milliseconds for the whole call: all attempts, the waits between them, and the reads that
   * determine whether a write was applied. The pages of one run of a query share it, and so do calls
   * with the same `Deadline`. A wait that would pass the deadline does not begin.
   *
   * @defaultValue no limit
   */
  readonly deadline?: number | Deadline | undefined
  /**
   * Where reads go; every mode but `'primaryOnly'` needs an endpoint with a secondary. Writes always
   * go to the primary.
   *
   * @defaultValue `'primaryOnly'`
   */
  readonly locationMode?: LocationMode | undefined
  /**
   * Decides whether and when to retry.
   *
   * @defaultValue `exponentialRetry()`
   */
  readonly retry?: RetryPolicy | undefined
  /** Records every attempt of the call. */
  readonly context?: OperationContext | undefined
  /**
   * Whether a write stores a marker in its transaction, which proves whether the write was applied and
   * keeps it from being applied twice. Reads and operations on tables ignore it.
   *
   * @defaultValue `false`
   */
  readonly exactWrites?: boolean | undefined
  /**
   * Names an exact write, so that it is applied once although it is repeated by several calls or
   * processes: 1 to 100 letters, digits and `_ . : @ -`. It belongs to the keys that the write changes,
   * and holds until its marker is swept. It implies `exactWrites`.
   */
  readonly idempotencyKey?: string | undefined
}

const OPTION_NAMES: OptionNames<CallOptions> = {
  context: true,
  deadline: true,
  exactWrites: true,
  idempotencyKey: true,
  locationMode: true,
  retry: true,
  signal: true,
  timeout: true,
}

/** The names of {@link CallOptions}, for the checks of functions that take them. */
export const CALL_OPTION_NAMES: readonly string[] = Object.keys(OPTION_NAMES)

/**
 * Rejects an unknown option of a call, and an invalid value of a known one.
 *
 * @param options - the options of a call
 * @param where - the operation, for the message
 * @throws `InputError` (`UnknownOption` or `InvalidOptionValue`)
 */
export function checkCallOptions(options: CallOptions, where: string): void {
  checkOptions(options, OPTION_NAMES, where)
  checkCallValues(options, where)
}

/**
 * Rejects values that {@link CallOptions} cannot have.
 *
 * @param options - the options of a call, or of a service with the same options
 * @param where - the function or operation, for the message
 * @throws `InputError` (`InvalidOptionValue`)
 */
export function checkCallValues(options: CallOptions, where: string): void {
  const { timeout, deadline, retry, signal, context } = options
  checkExactness(options, where)
  if (timeout !== undefined) checkWholeNumber(timeout, 'timeout', where)
  if (deadline !== undefined) checkDeadline(deadline, where)
  if (retry !== undefined && typeof retry?.delayAfter !== 'function') {
    throw invalidOption(
      `retry of ${where} must be a RetryPolicy, such as exponentialRetry() or noRetry.`,
    )
  }
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    throw invalidOption(`signal of ${where} must be an AbortSignal.`)
  }
  if (context && !Array.isArray(context.attempts)) {
    throw invalidOption(`context of ${where} must be an OperationContext.`)
  }
}

const IDEMPOTENCY_KEY = /^[\w.:@-]{1,100}$/

function checkExactness({ exactWrites, idempotencyKey }: CallOptions, where: string): void {
  if (exactWrites !== undefined && typeof exactWrites !== 'boolean') {
    throw invalidOption(`exactWrites of ${where} must be true or false.`)
  }
  if (idempotencyKey === undefined) return
  if (typeof idempotencyKey === 'string' && IDEMPOTENCY_KEY.test(idempotencyKey)) return
  throw invalidOption(
    `idempotencyKey of ${where} must be a text of 1 to 100 letters, digits and _ . : @ -`,
  )
}

/** A shared moment may be in the past; the call then reports that itself. */
function checkDeadline(deadline: unknown, where: string): void {
  if (deadline instanceof CommonDeadline) {
    if (deadline.given !== undefined) checkDeadline(deadline.given, where)
    return
  }
  const { endsAt } = Object(deadline) as Partial<Deadline>
  if (typeof endsAt === 'number' && !Number.isNaN(endsAt)) return
  checkWholeNumber(deadline, 'deadline', where)
}

/**
 * Where reads go. Writes always go to the primary.
 *
 * With `…Then…` a read that fails at one location is retried at the other, in turn; the first try
 * at a location does not wait. A secondary lags behind, so a 404 of a secondary is checked at the
 * primary before it counts.
 */
export type LocationMode =
  | 'primaryOnly'
  | 'primaryThenSecondary'
  | 'secondaryOnly'
  | 'secondaryThenPrimary'

/** The locations of each mode, in turn. */
const ORDERS: Readonly<Record<LocationMode, readonly LocationName[]>> = {
  primaryOnly: ['primary'],
  primaryThenSecondary: ['primary', 'secondary'],
  secondaryOnly: ['secondary'],
  secondaryThenPrimary: ['secondary', 'primary'],
}

/**
 * Rejects an unknown mode, and one that needs a secondary when the endpoint has none.
 *
 * @param mode - the caller's value
 * @param endpoint - the account
 * @param where - the function or operation, for the message
 * @throws `InputError` (`InvalidOptionValue`)
 */
export function checkLocation(mode: unknown, { secondary }: Endpoint, where: string): void {
  if (mode === undefined || mode === 'primaryOnly') return
  if (typeof mode !== 'string' || !Object.hasOwn(ORDERS, mode)) {
    throw invalidOption(
      `locationMode of ${where} must be one of ${Object.keys(ORDERS).join(', ')}.`,
    )
  }
  if (secondary !== undefined) return
  throw invalidOption(
    `locationMode '${mode}' of ${where} needs a secondary endpoint. Set TableSecondaryEndpoint in the connection string, or use 'primaryOnly'.`,
  )
}

/**
 * Moves a request to one of the account's two locations.
 *
 * @param request - a request to the primary
 * @param endpoint - the account
 * @param location - the target
 */
export function atLocation(
  request: HttpRequest,
  { basePath, secondary }: Endpoint,
  location: LocationName,
): HttpRequest {
  if (location === 'primary' || secondary === undefined) return request
  const path = secondary.basePath + request.path.slice(basePath.length)
  return { ...request, origin: secondary.origin, path }
}

/** Chooses the location of each attempt of one call, and remembers when it left each. */
export class Itinerary {
  #locations: readonly LocationName[]
  #step = 0
  readonly #leftAt = new Map<LocationName, number>()

  /** @param mode - where the call may go */
  constructor(mode: LocationMode) {
    this.#locations = ORDERS[mode]
  }

  /** The location of the pending attempt, or of the next one. */
  get location(): LocationName {
    // Every mode has at least one location, and the remainder stays within them.
    return this.#locations[this.#step % this.#locations.length] as LocationName
  }

  /** Whether no attempt has gone to the location yet. */
  get isNew(): boolean {
    return !this.#leftAt.has(this.location)
  }

  /** Whether the primary may have rows that the location lacks. */
  get mayLag(): boolean {
    return this.location === 'secondary' && this.#locations.includes('primary')
  }

  /**
   * Moves to the next location.
   *
   * @param response - the response of the location that is left; after a 404 of the secondary only
   * the primary is used
   * @param now - milliseconds since 1970, UTC
   */
  moveOn(response: HttpResponse | undefined, now: number): void {
    this.#leftAt.set(this.location, now)
    if (this.mayLag && response?.status === 404) this.#locations = ['primary']
    else this.#step++
  }

  /**
   * Returns what remains of a wait that began when the location was left; 0 at a new location.
   *
   * @param delay - milliseconds between two attempts at one location
   * @param now - milliseconds since 1970, UTC
   */
  waitFor(delay: number, now: number): number {
    const leftAt = this.#leftAt.get(this.location)
    return leftAt === undefined ? 0 : Math.max(0, delay - (now - leftAt))
  }
}

/** A moment by which several calls must be done together. */
export interface Deadline {
  /** Milliseconds since 1970, UTC, on this machine's clock. */
  readonly endsAt: number
}

/** The part of a service's defaults that its deadlines depend on. */
interface DeadlineDefaults {
  /** Milliseconds for a whole call; `undefined` for no limit. */
  readonly deadline: number | undefined
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
}

/**
 * Returns the moment by which a call must be done; `undefined` without a deadline.
 *
 * @param options - the options of the call
 * @param defaults - of its service
 */
export function endOf({ deadline }: CallOptions, defaults: DeadlineDefaults): number | undefined {
  if (deadline instanceof CommonDeadline) return deadline.start(defaults)
  const given = deadline ?? defaults.deadline
  return typeof given === 'number' ? defaults.now() + given : given?.endsAt
}

/**
 * Starts the deadline of some options, for several calls that share it.
 *
 * @param options - the options of a call
 * @param defaults - of its service
 */
export function withDeadline<Options extends CallOptions>(
  options: Options,
  defaults: DeadlineDefaults,
): Options {
  const endsAt = endOf(options, defaults)
  return endsAt === undefined ? options : { ...options, deadline: { endsAt } }
}

/**
 * A deadline that several calls share, and that starts with the first of them: for code that does not know the service.
 */
export class CommonDeadline implements Deadline {
  /** The deadline of the options. */
  readonly given: number | Deadline | undefined
  #endsAt: number | undefined
  #isStarted = false

  /** @param given - the deadline of the options; that of the service when absent */
  constructor(given: number | Deadline | undefined) {
    this.given = given
  }

  get endsAt(): number {
    return this.#endsAt ?? Number.POSITIVE_INFINITY
  }

  /** Returns when it ends; starts it first, if this is the first call. */
  start(defaults: DeadlineDefaults): number | undefined {
    if (!this.#isStarted) this.#endsAt = endOf({ deadline: this.given }, defaults)
    this.#isStarted = true
    return this.#endsAt
  }
}
