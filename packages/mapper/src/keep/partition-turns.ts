import { type CallOptions, onAbort, type TableService } from '@rowkey/rest'
import { Turn } from '../snapshot/turns.ts'

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
  readonly #last = new Map<string, Turn<string, undefined>>()
  readonly #turns = {
    read: (partition: string) => this.#last.get(partition),
    keep: (partition: string, last: Turn<string, undefined> | undefined) => {
      if (last === undefined) this.#last.delete(partition)
      else this.#last.set(partition, last)
    },
  }

  /**
   * Runs a write when the earlier ones of its partition have ended.
   *
   * @param turn - the partition, and what ends the wait
   * @param write - sends the write
   */
  async run<Result>(turn: PartitionTurn, write: () => Promise<Result>): Promise<Result> {
    const own = new Turn(this.#turns, turn.partition, undefined)
    try {
      if (own.hasToWait) await own.come((ended) => first(ended, turn))
      return await write()
    } finally {
      own.end()
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
