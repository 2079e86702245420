import type { HttpResponse } from '../http/http-response.ts'
import type { LocationName } from '../location-name.ts'
import { type LocationMode, locationsOf } from './location-mode.ts'

/** Which location each attempt of one call asks, and when it last left each. */
export class Itinerary {
  #locations: readonly LocationName[]
  #step = 0
  readonly #leftAt = new Map<LocationName, number>()

  /** @param mode - where the call may go */
  constructor(mode: LocationMode) {
    this.#locations = locationsOf(mode)
  }

  /** Where the next attempt goes, or the one that is under way. */
  get location(): LocationName {
    // There is at least one location, and the step stays within them.
    return this.#locations[this.#step % this.#locations.length] as LocationName
  }

  /** Whether no attempt has gone to the location yet. */
  get isNew(): boolean {
    return !this.#leftAt.has(this.location)
  }

  /** Whether what the location does not have may still be at another. */
  get mayLag(): boolean {
    return this.location === 'secondary' && this.#locations.includes('primary')
  }

  /**
   * Turns to the next location.
   *
   * @param response - the answer of the one that is left; once the secondary lacks something, only
   * the primary is asked
   * @param now - milliseconds since 1970, UTC
   */
  moveOn(response: HttpResponse | undefined, now: number): void {
    this.#leftAt.set(this.location, now)
    if (this.mayLag && response?.status === 404) this.#locations = ['primary']
    else this.#step++
  }

  /**
   * What remains of a wait that began when the location was left; nothing where no attempt went yet.
   *
   * @param delay - milliseconds between two attempts at one location
   * @param now - milliseconds since 1970, UTC
   */
  waitFor(delay: number, now: number): number {
    const leftAt = this.#leftAt.get(this.location)
    return leftAt === undefined ? 0 : Math.max(0, delay - (now - leftAt))
  }
}
