/** How many bytes of request bodies a listener holds at one time, over all its connections. */
export class BodyBudget {
  #left: number

  /** @param bytes - the most there may be */
  constructor(bytes: number) {
    this.#left = bytes
  }

  /** A share for one request, empty at first. */
  share(): BodyShare {
    let taken = 0
    return {
      take: (bytes) => {
        if (bytes > this.#left) return false
        this.#left -= bytes
        taken += bytes
        return true
      },
      release: () => {
        this.#left += taken
        taken = 0
      },
    }
  }
}

/** What one request holds of a {@link BodyBudget}. */
export interface BodyShare {
  /** Takes so many bytes more; false, and nothing is taken, when there are not so many left. */
  take(bytes: number): boolean
  /** Gives everything back. */
  release(): void
}
