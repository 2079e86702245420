/**
 * Lets long work begin one after the other, each after a whole turn of the event loop: then the sockets
 * have reported which clients are gone.
 */
export class Turns {
  readonly #waiting: ((areOthersWaiting: boolean) => void)[] = []
  #isRunning = false

  /** Waits for the turn, and tells whether others wait for the next. */
  take(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#isRunning) return
      this.#isRunning = true
      // The first of the two may run in the turn that has read the request.
      setImmediate(() => setImmediate(() => this.#next()))
    })
  }

  #next(): void {
    const begin = this.#waiting.shift()
    this.#isRunning = this.#waiting.length > 0
    begin?.(this.#isRunning)
    if (this.#isRunning) setImmediate(() => this.#next())
  }
}
