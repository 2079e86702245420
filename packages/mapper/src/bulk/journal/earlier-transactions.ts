import {
  AmbiguousWriteError,
  type Call,
  type CallOptions,
  settleIdempotencyKey,
  type WriteOutcome,
} from '@rowkey/rest'
import type { BulkTarget } from '../bulk-target.ts'

/** What became of a transaction of an earlier run. */
type EarlierOutcome =
  | { readonly outcome: 'applied' | 'not applied' }
  | { readonly outcome: 'unknown'; readonly error: AmbiguousWriteError }

/** The exact transactions that an earlier run sent without recording their end. */
export class EarlierTransactions {
  readonly #target: BulkTarget
  readonly #call: Call
  /** Each is settled once for all of its operations. */
  readonly #settled = new Map<string, Promise<EarlierOutcome>>()

  /**
   * @param target - the table
   * @param call - the call that settles them
   */
  constructor(target: BulkTarget, call: Call) {
    this.#target = target
    this.#call = call
  }

  /**
   * Settles a transaction: afterwards a late request of the earlier run changes nothing any more.
   *
   * @param partitionKey - its partition
   * @param key - its idempotency key
   */
  outcomeOf(partitionKey: string, key: string): Promise<EarlierOutcome> {
    const outcome = this.#settled.get(key) ?? this.#settle(partitionKey, key)
    this.#settled.set(key, outcome)
    return outcome
  }

  async #settle(partitionKey: string, key: string): Promise<EarlierOutcome> {
    let cause: unknown
    try {
      const outcome = await this.#ask(partitionKey, key, this.#call.options)
      if (outcome !== 'unknown') return { outcome }
    } catch (error) {
      cause = error
    }
    const error = new AmbiguousWriteError({
      message: `An earlier run sent a transaction to partition ${JSON.stringify(partitionKey)} of table ${this.#target.table}, and its marker could not be read. Run the same input and journal again.`,
      attempts: 1,
      cause,
      resolve: async () => ({ outcome: await this.#ask(partitionKey, key, {}) }),
    })
    return { outcome: 'unknown', error }
  }

  #ask(partitionKey: string, idempotencyKey: string, call: CallOptions): Promise<WriteOutcome> {
    const { service, table } = this.#target
    return settleIdempotencyKey(service, { table, partitionKey, idempotencyKey }, call)
  }
}
