import { checkValue } from '@rowkey/odata'
import { concurrencyRule } from '../concurrency/level-of-run.ts'
import { stoppable } from '../concurrency/results-in-order.ts'
import { invalidQuery, rejectQuery } from '../errors/invalid-query.ts'
import { compileQuery } from '../node/query-node.ts'
import type { QueryOptions, QueryRun } from '../source/query-source.ts'
import { queryRows } from './query-rows.ts'

/** How many calls of a handler are pending at once, unless the caller says otherwise. */
export const CALLS_AT_ONCE = 8

/**
 * Calls a handler with each row, several at a time, and ends when all calls have. The first error ends
 * the run, and is thrown once the pending calls are over.
 *
 * @param run - the query, its source and its options
 * @param handler - called with each row
 * @param concurrency - how many calls are pending at once
 * @throws InputError with the code `InvalidQuery` for a handler that is not a function, and a concurrency
 * that is not a whole number from 1
 */
export async function forEachRow<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  handler: RowHandler<Row>,
  concurrency: number,
): Promise<void> {
  checkHandler(run, handler)
  checkValue(concurrency, concurrencyRule, 'concurrency', '.forEach', rejectQuery)
  const { options, stop } = stoppable(run.options)
  const { signal } = options
  const shared = { ...run, options }
  const calls = new HandlerCalls(handler, stop)
  try {
    for await (const rows of queryRows(shared)) {
      for (const row of rows) {
        await calls.atMost(concurrency - 1)
        if (signal.aborted) throw await abortErrorOf(shared)
        calls.begin(row, signal)
      }
    }
  } catch (error) {
    calls.fail(error)
  }
  await calls.end()
}

/** The source's own error for a signal that has aborted: it sends nothing. */
async function abortErrorOf<Options extends QueryOptions>({
  node,
  source,
  options,
}: QueryRun<unknown, Options>): Promise<unknown> {
  try {
    await source.fetchPage(compileQuery(node), { projected: false }, options)
    // A source that ignores signals has sent it.
    return options.signal?.reason
  } catch (error) {
    return error
  }
}

function checkHandler({ node }: QueryRun<unknown>, handler: unknown): void {
  if (typeof handler === 'function') return
  const { name: model } = node.model
  throw invalidQuery(
    `.forEach on ${model} takes a function of a row, such as (row) => archive(row).`,
    { model },
  )
}

/**
 * Handles one row.
 *
 * @param row - one row
 * @param signal - aborts when the caller's does, and when another call fails
 */
export type RowHandler<Row> = (row: Row, signal: AbortSignal) => unknown

/** Pending calls of one handler, and the first error of any. */
export class HandlerCalls<Row> {
  readonly #handler: RowHandler<Row>
  readonly #onFailure: () => void
  #pending = 0
  #failure: { readonly error: unknown } | undefined
  #wake: (() => void) | undefined

  /**
   * @param handler - synchronous or not
   * @param onFailure - called at the first error
   */
  constructor(handler: RowHandler<Row>, onFailure: () => void) {
    this.#handler = handler
    this.#onFailure = onFailure
  }

  /** Calls the handler without waiting for it, and records its error. */
  begin(row: Row, signal: AbortSignal): void {
    this.#pending++
    void this.#call(row, signal)
  }

  /** Keeps the first error, wherever it comes from. */
  fail(error: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = { error }
    this.#onFailure()
  }

  /** Waits until at most so many calls are pending. Only one caller may wait. */
  async atMost(count: number): Promise<void> {
    while (this.#pending > count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /**
   * Waits for all calls.
   *
   * @throws the first error, if there was one
   */
  async end(): Promise<void> {
    await this.atMost(0)
    if (this.#failure !== undefined) throw this.#failure.error
  }

  async #call(row: Row, signal: AbortSignal): Promise<void> {
    try {
      await this.#handler(row, signal)
    } catch (error) {
      this.fail(error)
    } finally {
      this.#pending--
      this.#wake?.()
    }
  }
}
