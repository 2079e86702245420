/** Limits how many bytes a listener holds for its clients, over all connections. */
export class MemoryBudget {
  #left: number

  /** @param bytes - the limit */
  constructor(bytes: number) {
    this.#left = bytes
  }

  /** Whether nothing is left. */
  get isSpent(): boolean {
    return this.#left <= 0
  }

  /** Makes the share of one request, empty at first. */
  share(): MemoryShare {
    let taken = 0
    const force = (bytes: number): void => {
      this.#left -= bytes
      taken += bytes
    }
    return {
      force,
      take: (bytes) => {
        if (bytes > this.#left) return false
        force(bytes)
        return true
      },
      release: () => {
        this.#left += taken
        taken = 0
      },
    }
  }
}

/** The bytes that one request holds. */
export interface MemoryShare {
  /** Takes more bytes. Returns false and takes nothing when not so many are left. */
  take(bytes: number): boolean
  /** Takes more bytes even when they are not left: for a response that must be sent. */
  force(bytes: number): void
  /** Gives everything back. */
  release(): void
}
