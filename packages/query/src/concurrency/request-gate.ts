/** Limits how many requests are pending at once. The others wait, in the order they came. */
export class RequestGate {
  readonly #waiting: (() => void)[] = []
  #free: number

  /** @param most - how many at once */
  constructor(most: number) {
    this.#free = most
  }

  /**
   * Makes a request, when there is room.
   *
   * @param work - begins at once where there is room, and otherwise when an earlier one ends
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

  /** Drops the requests that wait: their results are no longer wanted. */
  close(): void {
    this.#waiting.length = 0
  }
}
