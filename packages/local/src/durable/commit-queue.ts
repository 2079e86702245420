/** A change that waits for its commit. */
interface Waiting<Draft> {
  readonly change: (draft: Draft) => unknown
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** One commit: the changes in it, made on one draft. */
export type Commit<Draft> = (apply: (draft: Draft) => void) => Promise<void>

/** Changes of one commit: more would make those wait that came first. */
const MAX_CHANGES = 256

/**
 * Makes changes one after the other, so that none comes between what another reads and writes. All
 * that wait while a commit is under way go into the next one together: writes that reach the disk
 * are slow, and many cost no more than one.
 */
export class CommitQueue<Draft> {
  readonly #commit: Commit<Draft>
  readonly #waiting: Waiting<Draft>[] = []
  #running: Promise<void> | undefined

  /** @param commit - stores what `apply` does to a draft, all or nothing */
  constructor(commit: Commit<Draft>) {
    this.#commit = commit
  }

  /**
   * Makes a change; resolved when it is stored.
   *
   * @param change - changes the draft, or throws before it has changed any of it
   */
  add<Result>(change: (draft: Draft) => Result): Promise<Result> {
    const added = new Promise((resolve, reject) => this.#waiting.push({ change, resolve, reject }))
    this.#running ??= this.#run()
    // What `change` returned: the queue holds changes of any result.
    return added as Promise<Result>
  }

  /** Resolved when nothing waits any more. */
  async drained(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    // Lets all changes of this turn in.
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
      // Those that refused by themselves were told already: a promise settles once.
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
