/** Limits how many bytes a listener holds for its clients at one time, over all connections. */
export class MemoryBudget {
  #left: number

  /** @param bytes - the limit */
  constructor(bytes: number) {
    this.#left = bytes
  }

  /** Whether nothing more fits. */
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

/** What one request holds of a {@link MemoryBudget}. */
export interface MemoryShare {
  /** Takes more bytes. Returns false and takes nothing when not so many are left. */
  take(bytes: number): boolean
  /** Takes more bytes although they may not be left: for what cannot be given up any more. */
  force(bytes: number): void
  /** Gives everything back. */
  release(): void
}
