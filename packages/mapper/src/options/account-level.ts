import { ConcurrencyLevel, type InOrderOptions, resultsInOrder } from '@rowkey/query'
import { type Call, isOverloaded, type TableService } from '@rowkey/rest'
import { onceForEach } from '../model/once-for-each.ts'

/**
 * Returns how many requests a run may have in flight to an account. The level belongs to the account, so that a run begins where the
 * one before ended.
 */
export const levelOf: (service: TableService) => ConcurrencyLevel = onceForEach(
  ({ now, sleep }) => new ConcurrencyLevel({ now, sleep }),
)

/** How {@link requestsInOrder} works. */
export type RequestsInOrder<Item> = Pick<
  InOrderOptions<Item>,
  'concurrency' | 'most' | 'partitionOf'
>

/**
 * Makes a request for each item, as many at a time as the level of the account allows, and yields the results in the order of the
 * items. When a request fails, or the loop over the results ends early, the others are cancelled.
 *
 * @param call - the call that the requests are part of
 * @param items - the items, taken one by one
 * @param request - makes a request, as part of a call that can be cancelled
 * @param how - how many at a time
 *
 * @example
 * ```ts
 * const find = (key: EntityKey, each: Call) => each.perform(findEntity, { table, key })
 * for await (const found of requestsInOrder(call, keys, find)) console.log(found)
 * ```
 */
export function requestsInOrder<Item, Result>(
  call: Call,
  items: Iterable<Item>,
  request: (item: Item, call: Call) => Promise<Result>,
  how: RequestsInOrder<Item> = {},
): AsyncGenerator<Result, void, undefined> {
  const work = (item: Item, signal: AbortSignal, onThrottled: () => void) =>
    request(item, overloadSeen(call.until(signal), onThrottled))
  return resultsInOrder(items, work, { ...how, level: levelOf(call.service), signal: call.signal })
}

/**
 * Returns the same call for requests that show when the service has too much to do.
 *
 * @param call - the call
 * @param onOverload - called for each attempt that shows it
 */
export function overloadSeen(call: Call, onOverload: () => void): Call {
  return call.observed((failed) => {
    if (isOverloaded(failed)) onOverload()
  })
}
