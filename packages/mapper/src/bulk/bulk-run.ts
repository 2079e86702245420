import { AbortError, type CallOptions } from '@rowkey/rest'
import { mapperInputError } from '../errors/codes.ts'
import type { BulkEngine, BulkWork } from './bulk-engine.ts'
import { BulkError } from './bulk-error.ts'
import type { BulkOutcome, BulkSummary } from './bulk-outcome.ts'
import { OutcomeQueue } from './outcome-queue.ts'

/** A bulk write before it begins. */
export interface BulkPlan extends Omit<BulkWork, 'input' | 'outcomes'> {
  /** Opens the input with the options of the calls of the write. */
  readonly openInput: (call: CallOptions) => BulkWork['input']
}

/**
 * One bulk write, from {@link BulkWriter}. It begins when it is awaited, iterated over, or asked for its
 * summary; it runs once.
 *
 * - `await run` gives the summary, and rejects with a {@link BulkError} when an operation failed or is
 *   unknown.
 * - `for await (const outcome of run)` gives the outcome of each operation, as they end. A slow loop makes
 *   the writer wait. Leaving the loop ends the write: requests in flight end, and nothing new is sent.
 * - `run.summary()` gives the summary and does not reject.
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

  /** Returns how the write ended. It does not reject. */
  async summary(): Promise<BulkSummary> {
    this.#summary ??= this.#begin(undefined).summary
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
    if (this.#summary !== undefined) throw hasBegun(this.#plan.target.table)
    const outcomes = new OutcomeQueue()
    const { loaded, summary } = this.#begin(outcomes)
    this.#summary = summary
    const engine = await loaded
    try {
      for (;;) {
        const outcome = await outcomes.next()
        engine.resume()
        if (outcome === undefined) break
        yield outcome as BulkOutcome<Item> // the items come from this input
      }
    } finally {
      engine.end('left', undefined)
      await summary
    }
    this.#checkEnding(await summary)
  }

  /** Begins the write. It is pending until its end, so that closing the account with `drain` waits for it. */
  #begin(outcomes: OutcomeQueue | undefined): {
    readonly loaded: Promise<BulkEngine>
    readonly summary: Promise<BulkSummary>
  } {
    const { openInput, ...plan } = this.#plan
    const { pendingCalls } = plan.target.service
    const call = pendingCalls.begin(plan.settings.call)
    const settings = { ...plan.settings, call }
    const loaded = loadEngine({ ...plan, settings, input: openInput(call), outcomes })
    const summary = loaded.then((engine) => engine.run()).finally(() => pendingCalls.end(call))
    return { loaded, summary }
  }

  async #complete(): Promise<BulkSummary> {
    const summary = await this.summary()
    this.#checkEnding(summary)
    if (summary.failed + summary.unknown === 0) return summary
    throw new BulkError({ table: this.#plan.target.table, summary })
  }

  #checkEnding(summary: BulkSummary): void {
    const { ending, cause, done, unknown } = summary
    if (ending === 'complete') return
    if (ending !== 'aborted') throw new BulkError({ table: this.#plan.target.table, summary })
    throw new AbortError({ reason: cause, mayHaveApplied: done + unknown > 0 })
  }
}

/** Loads what writes in bulk, which few programs need. */
async function loadEngine(work: BulkWork): Promise<BulkEngine> {
  const { BulkEngine } = await import('./bulk-engine.ts')
  return new BulkEngine(work)
}

function hasBegun(table: string): Error {
  return mapperInputError({
    code: 'InvalidOptionValue',
    message: `The bulk write to table ${table} has begun, so its outcomes cannot be iterated over. Iterate over it first, and ask for its summary afterwards.`,
  })
}
