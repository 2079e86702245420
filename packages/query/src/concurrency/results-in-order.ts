import type { ConcurrencyLevel } from './concurrency-level.ts'
import { levelOfRun } from './level-of-run.ts'
import { RequestGate } from './request-gate.ts'

/** How {@link resultsInOrder} works. */
export interface InOrderOptions<Item = unknown> {
  /**
   * How many calls at most are pending, or done and not yet consumed.
   *
   * @defaultValue the `level` decides
   */
  readonly concurrency?: number | undefined
  /**
   * How many calls may be pending, when `concurrency` does not fix it. Twice its ceiling may be pending, or done and not yet consumed, so that
   * one that is throttled does not hold up the others.
   *
   * @defaultValue a new {@link ConcurrencyLevel}, which begins at 8
   */
  readonly level?: ConcurrencyLevel | undefined
  /**
   * How many calls at most are pending, or done and not yet consumed, whatever the level.
   *
   * @defaultValue no limit
   */
  readonly most?: number | undefined
  /** Tells which partition a call is for, so that a throttled partition does not hold up the others. */
  readonly partitionOf?: ((item: Item) => string) | undefined
  /** Cancels pending calls when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Does the work for one item.
 *
 * @param item - the item
 * @param signal - aborts when the result is no longer wanted
 * @param onThrottled - to be called when the service throttles
 */
export type OrderedWork<Item, Result> = (
  item: Item,
  signal: AbortSignal,
  onThrottled: () => void,
) => Promise<Result>

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
  work: OrderedWork<Item, Result>,
  options: InOrderOptions<Item> = {},
): AsyncGenerator<Result, void, undefined> {
  const { concurrency, most = Number.POSITIVE_INFINITY, partitionOf } = options
  const level = levelOfRun(concurrency, options.level, 'resultsInOrder')
  const gate = new RequestGate(level)
  const { options: shared, stop } = stoppable({ signal: options.signal })
  const pending: Promise<Result>[] = []
  try {
    for (const item of items) {
      const partition = partitionOf?.(item)
      const call = gate.pass((slot) => work(item, shared.signal, () => gate.throttled(slot)), {
        partition,
      })
      pending.push(quiet(call))
      const first =
        pending.length < Math.min(concurrency ?? 2 * level.ceiling, most)
          ? undefined
          : pending.shift()
      if (first !== undefined) yield await first
    }
    for (const result of pending) yield await result
  } finally {
    gate.close()
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
