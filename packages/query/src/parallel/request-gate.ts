/** Lets only so many pieces of work be under way at once. The others wait, in the order they came. */
export class RequestGate {
  readonly #waiting: (() => void)[] = []
  #free: number

  /** @param most - how many at once */
  constructor(most: number) {
    this.#free = most
  }

  /**
   * Does a piece of work, when there is room.
   *
   * @param work - begun at once where there is, and else when an earlier one is over
   */
  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }

  /** What waits now is never begun: nobody wants it any more. */
  close(): void {
    this.#waiting.length = 0
  }
}
