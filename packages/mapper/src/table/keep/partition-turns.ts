import { type CallOptions, onAbort, type TableService } from '@rowkey/rest'

/** One turn of a partition. */
export interface PartitionTurn {
  /** Has the clock. */
  readonly service: Pick<TableService, 'now'>
  /** The account, the table and the PartitionKey. */
  readonly partition: string
  /** Of the write. Its signal, and a deadline that has begun, end the wait; the write then begins, and rejects. */
  readonly options: CallOptions
}

/**
 * Lets the writes of one process to a partition follow one another.
 *
 * @example
 * ```ts
 * const turns = new PartitionTurns()
 * const turn = { service: account.service, partition: 'staff Sales', options: {} }
 * await turns.run(turn, () => staff.insert(jones)) // after all writes of this partition that were begun before
 * ```
 */
export class PartitionTurns {
  /** The last write of each partition that is pending. */
  readonly #last = new Map<string, Promise<unknown>>()

  /**
   * Runs a write when the earlier ones of its partition have ended.
   *
   * @param turn - the partition, and what ends the wait
   * @param write - sends the write
   */
  async run<Result>(turn: PartitionTurn, write: () => Promise<Result>): Promise<Result> {
    const { partition } = turn
    const before = this.#last.get(partition)
    const own = before === undefined ? write() : first(before, turn).then(write)
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

/** Waits for a promise that does not reject, for the signal or for the deadline of a turn. */
function first(pending: Promise<unknown>, { service, options }: PartitionTurn): Promise<unknown> {
  const { signal, deadline } = options
  if (signal?.aborted) return Promise.resolve()
  const hasBegun = typeof deadline === 'object'
  const timeout = hasBegun ? deadline.endsAt - service.now() : Number.POSITIVE_INFINITY
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
