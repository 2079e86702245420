import type { Call } from '@rowkey/rest'
import { Turn } from '../snapshot/turns.ts'

/**
 * Lets the writes of one process to a partition follow one another.
 *
 * @example
 * ```ts
 * const turns = new PartitionTurns()
 * await account.service.call({}, 'hire', (call) => {
 *   return turns.run('staff Sales', call, () => staff.insert(jones)) // after all writes of this partition that were begun before
 * })
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
   * @param partition - the account, the table and the PartitionKey
   * @param call - of the write. It does not wait when it has to end: the write then begins, and its requests reject
   * @param write - sends the write
   */
  async run<Result>(partition: string, call: Call, write: () => Promise<Result>): Promise<Result> {
    const turn = new Turn(this.#turns, partition, undefined)
    try {
      if (turn.hasToWait) await turn.come(call)
      return await write()
    } finally {
      turn.end()
    }
  }
}
