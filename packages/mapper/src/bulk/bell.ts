/** Wakes what waits for something to change. */
export class Bell {
  #waiting: (() => void)[] = []

  /** Resolves when the bell rings next. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  /** Wakes all that wait. */
  ring(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }
}
