import { invalidOption } from '@rowkey/odata'
import { AbortError, type Call, type CallOptions, callOf } from '@rowkey/rest'
import { callOptionsIn } from '../options/call-options.ts'
import { BulkEngine } from './bulk-engine.ts'
import { BulkError } from './bulk-error.ts'
import { addedSummary, type BulkOutcome, type BulkSummary } from './bulk-outcome.ts'
import type { BulkTarget } from './bulk-target.ts'
import type { BulkWork, OpenedWork } from './bulk-work.ts'
import { OutcomeQueue } from './outcome-queue.ts'

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
  readonly #target: Pick<BulkTarget, 'service' | 'table'>
  /** The options of the call, and perhaps others. */
  readonly #options: CallOptions
  /** The function that the caller called, for messages. */
  readonly #where: string
  /**
   * Opens the input, as part of the call.
   *
   * @throws InputError for invalid options, which rejects the run
   */
  readonly #open: (call: Call) => OpenedWork
  #summary: Promise<BulkSummary> | undefined

  /** @internal */
  constructor(
    target: Pick<BulkTarget, 'service' | 'table'>,
    options: CallOptions,
    where: string,
    open: (call: Call) => OpenedWork,
  ) {
    this.#target = target
    this.#options = options
    this.#where = where
    this.#open = open
  }

  /**
   * Returns how the write ended, and rejects only when it cannot begin.
   *
   * @throws InputError for invalid options of a delete or a copy
   */
  async summary(): Promise<BulkSummary> {
    this.#summary ??= this.#begin().summary
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
    const { table } = this.#target
    if (this.#summary !== undefined) {
      throw invalidOption(
        `The bulk write to table ${table} has begun. Iterate over it before you ask for its summary.`,
      )
    }
    const outcomes = new OutcomeQueue()
    const { running: begun, summary } = this.#begin(outcomes)
    this.#summary = summary
    summary.catch(() => {}) // the loop throws the error of a write that cannot begin
    const running = await begun
    try {
      for (;;) {
        const outcome = await outcomes.next()
        running.resume()
        if (outcome === undefined) break
        yield outcome as BulkOutcome<Item> // the items come from this input
      }
    } finally {
      running.leave()
      await summary
    }
    checkEnding(await summary, table)
  }

  /** Begins the write. It is pending until its end, so that closing the account with `drain` waits for it. */
  #begin(outcomes?: OutcomeQueue): {
    readonly running: Promise<Running>
    readonly summary: Promise<BulkSummary>
  } {
    let end = (): void => {}
    const begun = async () => {
      const given = callOf(this.#target.service, callOptionsIn(this.#options), this.#where)
      end = pending(given)
      // A deadline of the caller's holds for the whole write, and that of the account for each request.
      const call = given.hasDeadline ? given : given.inParts()
      return new Running({ ...this.#open(call), call }, outcomes)
    }
    const running = begun()
    const summary = running.then((each) => each.run()).finally(() => end())
    return { running, summary }
  }

  async #complete(): Promise<BulkSummary> {
    const { table } = this.#target
    const summary = await this.summary()
    checkEnding(summary, table)
    if (summary.failed + summary.unknown > 0) throw new BulkError({ table, summary })
    return summary
  }
}

/** A bulk write that has begun, with the works that follow the first one. */
class Running {
  readonly #outcomes: OutcomeQueue | undefined
  #work: BulkWork
  #engine: BulkEngine
  #isLeft = false

  constructor(work: BulkWork, outcomes: OutcomeQueue | undefined) {
    this.#work = work
    this.#outcomes = outcomes
    this.#engine = new BulkEngine(work, outcomes)
  }

  /** Goes on when the caller's loop has read outcomes. */
  resume(): void {
    this.#engine.resume()
  }

  /** Ends early, because the caller has left the loop. */
  leave(): void {
    this.#isLeft = true
    this.#engine.end('left', undefined)
  }

  /** Runs one work after another, each when all of the one before has been written. It does not reject. */
  async run(): Promise<BulkSummary> {
    const summary = await this.#runAll()
    this.#outcomes?.end()
    return summary
  }

  async #runAll(): Promise<BulkSummary> {
    let all: BulkSummary | undefined
    for (;;) {
      all = addedSummary(all, await this.#engine.run())
      const { call, next } = this.#work
      if (next === undefined || !isWhole(all)) return all
      try {
        this.#work = { ...(await next()), call }
      } catch (error) {
        const { signal } = call
        return signal?.aborted
          ? { ...all, ending: 'aborted', cause: signal.reason }
          : { ...all, ending: 'failed', cause: error }
      }
      if (this.#isLeft) return { ...all, ending: 'left' }
      this.#engine = new BulkEngine(this.#work, this.#outcomes)
    }
  }
}

/** Counts a call as pending; returns what ends it. A write that begins when the account is closed fails when it runs. */
export function pending(call: Call): () => void {
  try {
    call.begin()
    return () => call.end()
  } catch {
    return () => {}
  }
}

/** Tells whether all of a write was applied or skipped. */
function isWhole({ ending, failed, unknown }: BulkSummary): boolean {
  return ending === 'complete' && failed + unknown === 0
}

/** Rejects a write that ended early. */
function checkEnding(summary: BulkSummary, table: string): void {
  const { ending, cause, done, unknown } = summary
  if (ending === 'complete') return
  if (ending !== 'aborted') throw new BulkError({ table, summary })
  throw new AbortError({ reason: cause, mayHaveApplied: done + unknown > 0 })
}
