import { checkValue } from '@rowkey/odata'
import { rejectQuery } from '../errors/invalid-query.ts'
import { concurrencyRule, DEFAULT_CONCURRENCY } from '../node/query-node.ts'

/** How {@link resultsInOrder} works. */
export interface InOrderOptions {
  /**
   * How many calls at most are pending, or done and not yet consumed.
   *
   * @defaultValue 8
   */
  readonly concurrency?: number | undefined
  /** Cancels pending calls when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Calls a function for each item, several at a time, and yields the results in the order of the items.
 * When a call fails, or the loop over the results ends early, the signal of the other calls aborts, and no
 * further call begins.
 *
 * @param items - the items, taken one by one
 * @param work - the function; its signal aborts when the result is no longer wanted
 * @param options - how many at a time
 * @throws InputError with the code `InvalidQuery` when the concurrency is not a whole number from 1
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
  checkValue(concurrency, concurrencyRule, 'concurrency', 'resultsInOrder', rejectQuery)
  const { options: shared, stop } = stoppable({ signal: options.signal })
  const pending: Promise<Result>[] = []
  try {
    for (const item of items) {
      pending.push(quiet(work(item, shared.signal)))
      const first = pending.length < concurrency ? undefined : pending.shift()
      if (first !== undefined) yield await first
    }
    for (const result of pending) yield await result
  } finally {
    stop()
  }
}

/** Ignores the error of a call whose result is no longer wanted. */
export function quiet<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => {})
  return work
}

/** Options of requests, as far as they can be cancelled. */
export interface CancellableOptions {
  /** Cancels the request when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/** The options of requests that can be cancelled together. */
export interface Stoppable<Options> {
  /** The caller's options, with a signal that aborts when theirs does, and by {@link stop}. */
  readonly options: Options & { readonly signal: AbortSignal }
  /** Cancels the pending requests. What they reject with is ignored. */
  stop(): void
}

/** Makes options whose requests can be cancelled when their result is no longer wanted. */
export function stoppable<Options extends CancellableOptions>(
  options: Options,
): Stoppable<Options> {
  const controller = new AbortController()
  const { signal } = options
  const both = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal
  return { options: { ...options, signal: both }, stop: () => controller.abort() }
}
