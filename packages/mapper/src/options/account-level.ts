import { ConcurrencyLevel, type InOrderOptions, resultsInOrder } from '@rowkey/query'
import type { CallOptions, FailedAttempt, RetryPolicy, TableService } from '@rowkey/rest'
import { onceForEach } from '../model/once-for-each.ts'

/**
 * Returns how many requests a run may have in flight to an account. The level belongs to the account, so that a run begins where the
 * one before ended.
 */
export const levelOf: (service: TableService) => ConcurrencyLevel = onceForEach(
  ({ now, sleep }) => new ConcurrencyLevel({ now, sleep }),
)

/**
 * Returns options of a call that tell when the service throttles one of its attempts.
 *
 * @param service - the account
 * @param options - the caller's
 * @param onThrottled - called for each attempt that the service throttled
 */
export function observedCall<Options extends CallOptions>(
  service: TableService,
  options: Options,
  onThrottled: () => void,
): Options {
  const policy = options.retry ?? service.defaults.retry
  const retry = observedPolicy(policy, (failed) => {
    if (isThrottling(failed)) onThrottled()
  })
  return { ...options, retry }
}

/** How {@link requestsInOrder} works. */
export interface RequestsInOrder<Item, Options extends CallOptions>
  extends Pick<InOrderOptions<Item>, 'concurrency' | 'most' | 'partitionOf'> {
  /** The options of each call. */
  readonly options: Options
}

/**
 * Makes a request for each item, as many at a time as the level of the account allows, and yields the results in the order of the
 * items. When a request fails, or the loop over the results ends early, the others are cancelled.
 *
 * @param service - the account
 * @param items - the items, taken one by one
 * @param request - makes a request, with options that cancel it
 * @param how - the options of each call, and how many at a time
 *
 * @example
 * ```ts
 * const find = (key: EntityKey, options: CallOptions) => perform(service, findEntity, { table, key }, options)
 * for await (const found of requestsInOrder(service, keys, find, { options: {} })) console.log(found)
 * ```
 */
export function requestsInOrder<Item, Result, Options extends CallOptions>(
  service: TableService,
  items: Iterable<Item>,
  request: (item: Item, options: Options) => Promise<Result>,
  how: RequestsInOrder<Item, Options>,
): AsyncGenerator<Result, void, undefined> {
  const { options, ...limits } = how
  const work = (item: Item, signal: AbortSignal, onThrottled: () => void) =>
    request(item, observedCall(service, { ...options, signal }, onThrottled))
  const level = levelOf(service)
  return resultsInOrder(items, work, { ...limits, level, signal: options.signal })
}

/**
 * Wraps a retry policy, to observe the attempts that failed.
 *
 * @param policy - decides
 * @param onDecided - receives each failed attempt, and the decision
 */
export function observedPolicy(
  policy: RetryPolicy,
  onDecided: (failed: FailedAttempt, delay: number | undefined) => void,
): RetryPolicy {
  return {
    delayAfter(failed: FailedAttempt) {
      const delay = policy.delayAfter(failed)
      onDecided(failed, delay)
      return delay
    },
    forCall: (operation) => observedPolicy(policy.forCall?.(operation) ?? policy, onDecided),
  }
}

const CODES: ReadonlySet<string> = new Set([
  'ServerBusy',
  'TooManyRequests',
  'OperationTimedOut',
  'AttemptTimeout',
])

/** A sign that the service is overloaded. */
interface BusySign {
  /** The response's HTTP status. */
  readonly status?: unknown
  /** The error's code. */
  readonly code?: unknown
}

/** Tells whether a failure means that the service has too much to do: 429, 503, or a timeout. */
export function isThrottling({ status, code }: BusySign): boolean {
  return status === 429 || status === 503 || (typeof code === 'string' && CODES.has(code))
}
