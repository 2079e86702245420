import { onAbort } from '@rowkey/rest'

/**
 * Lets the writes of one process to a partition follow one another.
 *
 * @example
 * ```ts
 * const turns = new PartitionTurns()
 * await turns.run('staff Sales', () => staff.insert(jones)) // after all writes of this partition that were begun before
 * ```
 */
export class PartitionTurns {
  /** The last write of each partition that is pending. */
  readonly #last = new Map<string, Promise<unknown>>()

  /**
   * Runs a write when the earlier ones of its partition have ended.
   *
   * @param partition - the account, the table and the PartitionKey
   * @param write - sends the write
   * @param signal - ends the wait; the write then begins, and rejects
   */
  async run<Result>(
    partition: string,
    write: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const before = this.#last.get(partition)
    const own = before === undefined ? write() : first(before, signal).then(write)
    // The next write waits for the earlier ones, too, when this one does not.
    const ended = Promise.allSettled([before, own])
    this.#last.set(partition, ended)
    try {
      return await own
    } finally {
      if (this.#last.get(partition) === ended) this.#last.delete(partition)
    }
  }
}

/** Waits for a promise that does not reject, or for a signal. */
function first(pending: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  if (signal === undefined) return pending
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const release = onAbort(signal, () => resolve(undefined))
    pending.then(resolve, reject).finally(release)
  })
}
