import { QueryError } from '../errors/query-error.ts'
import { stoppable } from './stoppable.ts'

/** How {@link resultsInOrder} works. */
export interface InOrderOptions {
  /**
   * How many pieces of work at most are under way, or done and not yet taken.
   *
   * @defaultValue 8
   */
  readonly concurrency?: number | undefined
  /** Ends what is under way when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/** As many requests at once as a service or a browser answers without making them wait. */
export const DEFAULT_CONCURRENCY = 8

/**
 * Does a piece of work on each item, several at a time, and gives the results in the order of the
 * items. When one fails, or the loop over the results is left, the signal that the others were given
 * aborts, and no further one is begun.
 *
 * @param items - what to work on, taken one by one
 * @param work - does it; the signal aborts when the result is no longer wanted
 * @param options - how many at a time
 * @throws {@link QueryError} when the concurrency is no whole number from 1
 *
 * @example
 * ```ts
 * for await (const found of resultsInOrder(keys, (key, signal) => customers.find(key, { signal }))) {
 *   console.log(found?.points)
 * }
 * ```
 */
export async function* resultsInOrder<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  options: InOrderOptions = {},
): AsyncGenerator<Result, void, undefined> {
  const { concurrency = DEFAULT_CONCURRENCY } = options
  checkConcurrency(concurrency)
  const { options: shared, stop } = stoppable({ signal: options.signal })
  const underWay: Promise<Result>[] = []
  try {
    for (const item of items) {
      underWay.push(quiet(work(item, shared.signal)))
      const first = underWay.length < concurrency ? undefined : underWay.shift()
      if (first !== undefined) yield await first
    }
    for (const result of underWay) yield await result
  } finally {
    stop()
  }
}

/**
 * Refuses what is no number of requests at a time.
 *
 * @throws {@link QueryError}
 */
export function checkConcurrency(concurrency: unknown): asserts concurrency is number {
  if (Number.isSafeInteger(concurrency) && Number(concurrency) >= 1) return
  throw new QueryError({
    message: `concurrency: ${String(concurrency)} says how many requests are under way at once: give a whole number from 1.`,
  })
}

/** An error of work that nobody waits for any more is of no interest. */
export function quiet<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => {})
  return work
}
