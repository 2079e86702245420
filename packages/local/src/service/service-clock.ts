import { DateTimeValue } from '@rowkey/odata'

const TICKS_PER_MILLISECOND = 10_000

/** The service's time: what it compares dates with, and the stamps that become ETags. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** A moment later than every stamp before it. */
  stamp(): DateTimeValue
  /**
   * The same stamps by a clock that is wrong.
   *
   * @param offset - milliseconds by which it is fast
   */
  shifted(offset: number): Clock
}

/** A clock whose stamps never repeat, whatever the time does. */
export class ServiceClock implements Clock {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  #milliseconds = Number.NEGATIVE_INFINITY
  #ticks = 0

  constructor(now: () => number) {
    this.now = now
  }

  /**
   * A moment later than every stamp before it, by 100 ns at least, so that no two versions of a row
   * ever share an ETag. It runs ahead of the clock when that stands still or goes back.
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

  /** Makes all later stamps later than one that was given by another clock, before this one ran. */
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
