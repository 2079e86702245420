import { DateTime } from '@rowkey/odata'

const TICKS_PER_MILLISECOND = 10_000

/** The service's time: what it compares dates with, and the stamps that become ETags. */
export class ServiceClock {
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
  stamp(): DateTime {
    const milliseconds = Math.floor(this.now())
    if (milliseconds > this.#milliseconds) {
      this.#milliseconds = milliseconds
      this.#ticks = 0
    } else if (++this.#ticks === TICKS_PER_MILLISECOND) {
      this.#milliseconds += 1
      this.#ticks = 0
    }
    return new DateTime(this.#milliseconds, this.#ticks)
  }
}
