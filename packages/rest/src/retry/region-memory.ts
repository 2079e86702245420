import type { LocationName } from '../endpoint/endpoint.ts'

/** Milliseconds that a failed location is avoided at first, and at most. */
const FIRST_REST = 10_000
const LONGEST_REST = 60_000

/** What is known of a location that failed. */
interface Trouble {
  /** When one read may try it again. */
  until: number
  rest: number
}

/**
 * Remembers for some seconds which locations of an account failed or hung, so that not every read pays for it. When they have
 * passed, one read tries the location, and the others avoid it until that read has succeeded. Each try doubles the time, up to a
 * minute.
 */
export class RegionMemory {
  readonly #now: () => number
  readonly #troubles = new Map<LocationName, Trouble>()

  /** @param now - returns milliseconds by a clock that is never set */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Records a failure that the location may be the cause of. */
  failed(location: LocationName): void {
    // Attempts that began before the first of them failed say the same.
    if (this.#troubles.has(location)) return
    this.#troubles.set(location, { until: this.#now() + FIRST_REST, rest: FIRST_REST })
  }

  /** Records a response of a location that works. */
  succeeded(location: LocationName): void {
    if (this.#troubles.size > 0) this.#troubles.delete(location)
  }

  /**
   * Tells whether a read that may go to either location should begin at the other one. When the time has passed, the first read
   * that asks tries it.
   *
   * @param location - where it would begin
   * @param other - the other one
   */
  isAvoided(location: LocationName, other: LocationName): boolean {
    const trouble = this.#troubles.get(location)
    if (trouble === undefined || this.#troubles.has(other)) return false
    const now = this.#now()
    if (now < trouble.until) return true
    trouble.rest = Math.min(trouble.rest * 2, LONGEST_REST)
    trouble.until = now + trouble.rest
    return false
  }
}
