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
   * @param timeout - milliseconds after which the wait ends, too
   */
  async run<Result>(
    partition: string,
    write: () => Promise<Result>,
    signal?: AbortSignal,
    timeout?: number,
  ): Promise<Result> {
    const before = this.#last.get(partition)
    const own = before === undefined ? write() : first(before, signal, timeout).then(write)
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

/** The longest delay of a timer. */
const LONGEST = 2 ** 31 - 1

/** Waits for a promise that does not reject, for a signal or for a time. */
function first(
  pending: Promise<unknown>,
  signal: AbortSignal | undefined,
  timeout = LONGEST,
): Promise<unknown> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      release?.()
      resolve(undefined)
    }
    const timer = timeout < LONGEST ? setTimeout(end, timeout) : undefined
    const release = signal && onAbort(signal, end)
    void pending.then(end)
  })
}
