import { DateTimeValue } from '@rowkey/odata'

const TICKS_PER_MILLISECOND = 10_000

/** The service's time, for comparing dates and for the stamps that become ETags. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Returns a time later than every stamp before it. */
  stamp(): DateTimeValue
  /**
   * Makes a clock that is wrong but gives the same stamps.
   *
   * @param offset - how fast the clock is, in milliseconds
   */
  shifted(offset: number): Clock
}

/** A clock whose stamps never repeat, even when the time stands still or goes back. */
export class ServiceClock implements Clock {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  #milliseconds = Number.NEGATIVE_INFINITY
  #ticks = 0

  constructor(now: () => number) {
    this.now = now
  }

  /**
   * Returns a time at least 100 ns later than every stamp before it, so that two versions of a row
   * never share an ETag. It runs ahead of a clock that stands still or goes back.
   */
  stamp(): DateTimeValue {
    const milliseconds = Math.floor(this.now())
    if (milliseconds > this.#milliseconds) {
      this.#milliseconds = milliseconds
      this.#ticks = 0
    } else if (++this.#ticks === TICKS_PER_MILLISECOND) {
      this.#milliseconds += 1
      this.#ticks = 0
    }
    return new DateTimeValue(this.#milliseconds, this.#ticks)
  }

  /** Makes later stamps later than one that another clock gave earlier. */
  startAfter(stamp: DateTimeValue | undefined): void {
    if (stamp === undefined || stamp.getTime() < this.#milliseconds) return
    this.#ticks = Math.max(
      stamp.ticksPastMs,
      stamp.getTime() === this.#milliseconds ? this.#ticks : 0,
    )
    this.#milliseconds = stamp.getTime()
  }

  shifted(offset: number): Clock {
    return {
      now: () => this.now() + offset,
      stamp: () => this.stamp(),
      shifted: (more) => this.shifted(offset + more),
    }
  }
}
