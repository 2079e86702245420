/** Runs work of one name one after another, as it was begun. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs work after all work of its name that was begun before has ended. */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(name) ?? Promise.resolve()
    const result = before.then(work, work)
    this.#last.set(name, result)
    try {
      return await result
    } finally {
      if (this.#last.get(name) === result) this.#last.delete(name)
    }
  }
}
