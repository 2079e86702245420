import { type CallOptions, partNotLoaded, type TableService } from '@rowkey/rest'
import type { OpenBulk } from './bulk-options.ts'
import type { BulkOutcome, BulkSummary } from './bulk-outcome.ts'
import type { RunningBulk } from './run-bulk.ts'

/** One bulk write before it begins. */
interface BulkPlan {
  readonly service: TableService
  /** The table's name. */
  readonly table: string
  /** The options of its calls, and perhaps others. */
  readonly options: CallOptions
  /** Opens the input, with the options as those of a series of calls. */
  readonly open: (options: CallOptions) => Promise<OpenBulk>
}

/**
 * One bulk write, from a {@link BulkWriter}, or from `deleteAll` or `copyTo` of a query. It begins when it is
 * awaited, iterated over, or asked for its summary; it runs once.
 *
 * - `await run` gives the summary, and rejects with a {@link BulkError} when an operation failed or is
 *   unknown.
 * - `for await (const outcome of run)` gives the outcome of each operation, as they end. A slow loop makes
 *   the writer wait. Leaving the loop ends the write: requests in flight end, and nothing new is sent.
 * - `run.summary()` gives the summary, and rejects only when the write cannot begin.
 *
 * @example
 * ```ts
 * for await (const outcome of customers.bulk().insert(rows)) {
 *   if (outcome.status === 'failed') console.log(outcome.key, outcome.error)
 * }
 * ```
 */
export class BulkRun<Item> implements PromiseLike<BulkSummary>, AsyncIterable<BulkOutcome<Item>> {
  readonly #plan: BulkPlan
  #summary: Promise<BulkSummary> | undefined

  /** @internal */
  constructor(plan: BulkPlan) {
    this.#plan = plan
  }

  /**
   * Returns how the write ended, and rejects only when it cannot begin.
   *
   * @throws InputError for invalid options of a delete or a copy, and for what cannot keep a journal
   */
  async summary(): Promise<BulkSummary> {
    this.#summary ??= this.#begin(false).summary
    return this.#summary
  }

  /**
   * Waits for the end, as `await` does.
   *
   * @param onComplete - receives the summary when all operations were applied or skipped
   * @param onIncomplete - receives a BulkError, or an AbortError when the signal aborted
   */
  // biome-ignore lint/suspicious/noThenProperty: `await` gives the summary
  then<Complete = BulkSummary, Incomplete = never>(
    onComplete?: ((summary: BulkSummary) => Complete | PromiseLike<Complete>) | null,
    onIncomplete?: ((error: unknown) => Incomplete | PromiseLike<Incomplete>) | null,
  ): Promise<Complete | Incomplete> {
    return this.#complete().then(onComplete, onIncomplete)
  }

  /**
   * Yields the outcome of each operation, as they end.
   *
   * @throws InputError with the code `InvalidOptionValue` when the write has begun
   * @throws AbortError when the signal aborted, after all outcomes
   * @throws BulkError when the write ended early, after all outcomes
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<BulkOutcome<Item>, void, undefined> {
    if (this.#summary !== undefined) {
      const { hasBegun } = await import('./run-bulk.ts').catch(partNotLoaded)
      throw hasBegun(this.#plan.table)
    }
    const { running, summary } = this.#begin(true)
    this.#summary = summary
    summary.catch(() => {}) // the loop throws the error of a write that cannot begin
    yield* (await running).outcomes
  }

  /** Begins the write. It is pending until its end, so that closing the account with `drain` waits for it. */
  #begin(isObserved: boolean): {
    readonly running: Promise<RunningBulk<Item>>
    readonly summary: Promise<BulkSummary>
  } {
    const { service, options, open } = this.#plan
    const call = service.pendingCalls.begin(options)
    const loaded = Promise.all([open(call), import('./run-bulk.ts').catch(partNotLoaded)])
    const running = loaded.then(([work, { beginBulk }]) => beginBulk<Item>(work, isObserved))
    const end = () => service.pendingCalls.end(call)
    const summary = running.then((bulk) => bulk.summary).finally(end)
    return { running, summary }
  }

  async #complete(): Promise<BulkSummary> {
    const summary = await this.summary()
    const { checkComplete } = await import('./run-bulk.ts').catch(partNotLoaded)
    checkComplete(summary, this.#plan.table)
    return summary
  }
}
