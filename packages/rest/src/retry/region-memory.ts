import type { LocationName } from '../endpoint/endpoint.ts'

/** Milliseconds that a failed location is avoided at first, and at most. */
const FIRST_REST = 10_000
const LONGEST_REST = 60_000
/** How many reads in a row the other location must answer first, before one counts as failed. */
const MOST_OUTRUN = 3
/** How many hedged reads each read allows, and how many can be saved up. */
const HEDGES_EACH = 0.03
const MOST_HEDGES = 10

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
  readonly #outrun = new Map<LocationName, number>()
  #hedges = MOST_HEDGES

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

  /** Counts a read that may be hedged. */
  mayBeHedged(): void {
    this.#hedges = Math.min(MOST_HEDGES, this.#hedges + HEDGES_EACH)
  }

  /**
   * Takes one hedged read: at most 3 % of the reads that may be hedged, and ten more at once, so that a slow service gets little more
   * load.
   *
   * @returns `false` when none is left
   */
  hedge(): boolean {
    if (this.#hedges < 1) return false
    this.#hedges -= 1
    return true
  }

  /** Records a hedged read that the other location answered first. Three in a row count as a failure. */
  outrun(location: LocationName): void {
    const count = (this.#outrun.get(location) ?? 0) + 1
    this.#outrun.set(location, count)
    if (count >= MOST_OUTRUN) this.failed(location)
  }

  /** Records a response of a location that works. */
  succeeded(location: LocationName): void {
    if (this.#outrun.size > 0) this.#outrun.delete(location)
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
