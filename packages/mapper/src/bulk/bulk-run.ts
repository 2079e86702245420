import { invalidOption } from '@rowkey/odata'
import { AbortError, type CallOptions, type TableService } from '@rowkey/rest'
import { BulkEngine } from './bulk-engine.ts'
import { BulkError } from './bulk-error.ts'
import type { OpenBulk } from './bulk-options.ts'
import type { BulkOutcome, BulkSummary } from './bulk-outcome.ts'
import { JournalLog } from './journal-log.ts'
import { OutcomeQueue } from './outcome-queue.ts'

/** One bulk write before it begins. */
interface BulkPlan {
  readonly service: TableService
  /** The table's name. */
  readonly table: string
  /** The options of its calls, and perhaps others. */
  readonly options: CallOptions
  /**
   * Opens the input, with the options as those of a series of calls.
   *
   * @throws InputError for invalid options, which rejects the run
   */
  readonly open: (options: CallOptions) => OpenBulk
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
    if (this.#summary !== undefined) throw hasBegun(this.#plan.table)
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
    const running = beginBulk<Item>(() => open(call), isObserved)
    const end = () => service.pendingCalls.end(call)
    const summary = running.then((bulk) => bulk.summary).finally(end)
    return { running, summary }
  }

  async #complete(): Promise<BulkSummary> {
    const summary = await this.summary()
    checkComplete(summary, this.#plan.table)
    return summary
  }
}

/** A bulk write that runs. */
interface RunningBulk<Item> {
  /** How it ends. It does not reject. */
  readonly summary: Promise<BulkSummary>
  /**
   * The outcomes, as they end. Leaving them ends the write.
   *
   * @throws AbortError or BulkError after all outcomes, when the write ended early
   */
  readonly outcomes: AsyncGenerator<BulkOutcome<Item>, void, undefined>
}

/**
 * Begins a bulk write.
 *
 * @param open - opens the write
 * @param isObserved - whether the outcomes are read; they are not kept otherwise
 * @throws InputError with the code `InvalidOptionValue` for what cannot keep a journal
 */
async function beginBulk<Item>(
  open: () => OpenBulk,
  isObserved: boolean,
): Promise<RunningBulk<Item>> {
  const { target, rule, ...plan } = open()
  JournalLog.check(plan.settings.journal, plan.table)
  const queue = new OutcomeQueue()
  const outcomes = isObserved ? queue : undefined
  const toOperation = (item: unknown) => target.toOperation(item, rule)
  const engine = new BulkEngine({ ...plan, target, toOperation, outcomes })
  const summary = engine.run()
  return { summary, outcomes: outcomesOf({ engine, queue, summary, table: plan.table }) }
}

interface BulkParts {
  readonly engine: BulkEngine
  readonly queue: OutcomeQueue
  readonly summary: Promise<BulkSummary>
  readonly table: string
}

async function* outcomesOf<Item>({
  engine,
  queue,
  summary,
  table,
}: BulkParts): AsyncGenerator<BulkOutcome<Item>, void, undefined> {
  try {
    for (;;) {
      const outcome = await queue.next()
      engine.resume()
      if (outcome === undefined) break
      yield outcome as BulkOutcome<Item> // the items come from this input
    }
  } finally {
    engine.end('left', undefined)
    await summary
  }
  checkEnding(await summary, table)
}

/** Rejects a write that ended early. */
function checkEnding(summary: BulkSummary, table: string): void {
  const { ending, cause, done, unknown } = summary
  if (ending === 'complete') return
  if (ending !== 'aborted') throw new BulkError({ table, summary })
  throw new AbortError({ reason: cause, mayHaveApplied: done + unknown > 0 })
}

/** Rejects a write that ended early, or with failures. */
function checkComplete(summary: BulkSummary, table: string): void {
  checkEnding(summary, table)
  if (summary.failed + summary.unknown > 0) throw new BulkError({ table, summary })
}

/** Returns the error of a loop over a write that has begun. */
function hasBegun(table: string): Error {
  return invalidOption(
    `The bulk write to table ${table} has begun, so its outcomes cannot be iterated over. Iterate over it first, and ask for its summary afterwards.`,
  )
}
