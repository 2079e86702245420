/** A change that waits for its commit. */
interface Waiting<Draft> {
  readonly change: (draft: Draft) => unknown
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Commits changes: `apply` makes them on a draft. */
export type Commit<Draft> = (apply: (draft: Draft) => void) => Promise<void>

/** The most changes in one commit. With more, the first ones would wait too long. */
const MAX_CHANGES = 256

/**
 * Makes changes one after another, so that no write happens between what a change reads and writes.
 * All that wait during a commit go into the next one together: a write to the disk is slow, and
 * many at once cost no more than one.
 */
export class CommitQueue<Draft> {
  readonly #commit: Commit<Draft>
  readonly #waiting: Waiting<Draft>[] = []
  #running: Promise<void> | undefined

  /** @param commit - stores all that `apply` does to a draft, or nothing */
  constructor(commit: Commit<Draft>) {
    this.#commit = commit
  }

  /**
   * Makes a change; resolves when it is stored.
   *
   * @param change - changes the draft, or throws before it has changed anything
   */
  add<Result>(change: (draft: Draft) => Result): Promise<Result> {
    const added = new Promise((resolve, reject) => this.#waiting.push({ change, resolve, reject }))
    this.#running ??= this.#run()
    // The result of `change`. The queue holds changes with different results.
    return added as Promise<Result>
  }

  /** Resolves when nothing is waiting. */
  async drained(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    // Lets in all changes of this turn.
    await undefined
    while (this.#waiting.length > 0) await this.#commitNext(this.#waiting.splice(0, MAX_CHANGES))
    this.#running = undefined
  }

  async #commitNext(group: readonly Waiting<Draft>[]): Promise<void> {
    const made: (() => void)[] = []
    try {
      await this.#commit((draft) => {
        for (const waiting of group) makeChange(waiting, draft, made)
      })
      for (const tell of made) tell()
    } catch (error) {
      // Changes that failed by themselves were rejected already: a promise settles once.
      for (const { reject } of group) reject(error)
    }
  }
}

function makeChange<Draft>(
  { change, resolve, reject }: Waiting<Draft>,
  draft: Draft,
  made: (() => void)[],
): void {
  try {
    const result = change(draft)
    made.push(() => resolve(result))
  } catch (error) {
    reject(error)
  }
}
