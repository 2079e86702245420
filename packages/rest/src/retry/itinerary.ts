import { invalidOption, oneOf, type Rule } from '@rowkey/odata'
import type { Endpoint, LocationName } from '../endpoint/endpoint.ts'
import type { HttpRequest, HttpResponse } from '../http/transport.ts'
import type { RegionMemory } from './region-memory.ts'

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

/** The rule of a {@link LocationMode}. */
export const locationRule: Rule = oneOf(...Object.keys(ORDERS))

/** The options that decide where reads go. */
interface ReadOptions {
  readonly locationMode?: LocationMode | undefined
  readonly hedgeAfter?: number | undefined
}

/**
 * Rejects options that need a secondary when the endpoint has none.
 *
 * @param options - of the account, or of a call
 * @param endpoint - the account
 * @param where - the function or operation, for the message
 * @throws `InputError` (`InvalidOptionValue`)
 */
export function checkReads(
  { locationMode: mode = 'primaryOnly', hedgeAfter }: ReadOptions,
  { secondary }: Endpoint,
  where: string,
): void {
  if (secondary !== undefined) return
  const needs = (option: string, name: string, other: string) =>
    invalidOption(
      `${option} of ${where} needs a secondary endpoint. Set TableSecondaryEndpoint in the connection string, or ${other}.`,
      name,
    )
  if (mode !== 'primaryOnly') {
    throw needs(`locationMode '${mode}'`, 'locationMode', "use 'primaryOnly'")
  }
  if (hedgeAfter !== undefined) throw needs('hedgeAfter', 'hedgeAfter', 'leave it out')
}

/**
 * Rejects hedged reads of an account that does not begin at the primary and go on at the secondary. A call may keep some of its reads at
 * the primary.
 *
 * @throws `InputError` (`InvalidOptionValue`)
 */
export function checkHedgedMode({ locationMode, hedgeAfter }: ReadOptions): void {
  if (hedgeAfter === undefined || locationMode === 'primaryThenSecondary') return
  throw invalidOption(
    "hedgeAfter of an account needs locationMode: 'primaryThenSecondary'.",
    'hedgeAfter',
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
  readonly #leftAt: { [Location in LocationName]?: number } = {}

  /**
   * @param mode - where the call may go
   * @param regions - knows which location failed a moment ago
   */
  constructor(mode: LocationMode, regions?: Pick<RegionMemory, 'isAvoided'>) {
    const [first, second] = ORDERS[mode]
    const isTurned =
      first !== undefined && second !== undefined && regions?.isAvoided(first, second) === true
    this.#locations = isTurned ? ORDERS[mode].toReversed() : ORDERS[mode]
  }

  /** The location of the pending attempt, or of the next one. */
  get location(): LocationName {
    // Every mode has at least one location, and the remainder stays within them.
    return this.#locations[this.#step % this.#locations.length] as LocationName
  }

  /** Whether no attempt has gone to the location yet. */
  get isNew(): boolean {
    return this.#leftAt[this.location] === undefined
  }

  /** Whether no attempt has ended, and the secondary comes after the primary. */
  get mayHedge(): boolean {
    return this.#step === 0 && this.#locations[0] === 'primary' && this.#locations.length > 1
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
   * @param now - milliseconds by a clock that is never set
   */
  moveOn(response: HttpResponse | undefined, now: number): void {
    this.#leftAt[this.location] = now
    if (this.mayLag && response?.status === 404) this.#locations = ['primary']
    else this.#step++
  }

  /**
   * Returns what remains of a wait that began when the location was left; 0 at a new location.
   *
   * @param delay - milliseconds between two attempts at one location
   * @param now - milliseconds by a clock that is never set
   */
  waitFor(delay: number, now: number): number {
    const leftAt = this.#leftAt[this.location]
    return leftAt === undefined ? 0 : Math.max(0, delay - (now - leftAt))
  }
}
