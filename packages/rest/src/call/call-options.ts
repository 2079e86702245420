import {
  type DeclaredOptions,
  declareOptions,
  rule,
  trueOrFalse,
  wholeNumber,
  withMethods,
} from '@rowkey/odata'
import { contextRule, type OperationContext } from '../observe/operation-context.ts'
import { type RequestBudget, requestBudgetRule } from '../observe/request-budget.ts'
import { type LocationMode, locationRule } from '../retry/itinerary.ts'
import { type RetryPolicy, retryRule } from '../retry/retry-policies.ts'
import { type Deadline, deadlineRule } from './deadline.ts'

/** The options of every call. The service's own options are the defaults. */
export interface CallOptions {
  /** Ends the call, even during a wait; the call then rejects with an `AbortError`. */
  readonly signal?: AbortSignal | undefined
  /**
   * Milliseconds for one attempt, from its start to the last byte of the response.
   *
   * @defaultValue `30_000`, as long as the service itself works on a request
   */
  readonly timeout?: number | undefined
  /**
   * Milliseconds for the whole call: all attempts, the waits between them, and the reads that
   * determine whether a write was applied. The pages of one run of a query share it, and so do calls
   * with the same `Deadline`. A wait that would pass the deadline does not begin.
   *
   * @defaultValue no limit
   */
  readonly deadline?: number | Deadline | undefined
  /**
   * How many requests the whole call may make: retries, hedged reads, all pages of one run of a query, and all transactions of a
   * bulk write. The call that needs one more rejects with a `BudgetError`, before that one is sent.
   *
   * @defaultValue no limit
   */
  readonly budget?: RequestBudget | undefined
  /**
   * Where reads go; every mode but `'primaryOnly'` needs an endpoint with a secondary. Writes always
   * go to the primary.
   *
   * @defaultValue `'primaryOnly'`
   */
  readonly locationMode?: LocationMode | undefined
  /**
   * Milliseconds after which a read that waits for the primary is also sent to the secondary. The first response counts; the primary wins when
   * both have come. It needs `locationMode: 'primaryThenSecondary'`, and adds at most 3 % to the reads of the account, and ten at once.
   *
   * @defaultValue reads are not hedged
   */
  readonly hedgeAfter?: number | undefined
  /**
   * Decides whether and when to retry.
   *
   * @defaultValue `exponentialRetry()`
   */
  readonly retry?: RetryPolicy | undefined
  /** Records every attempt of the call. */
  readonly context?: OperationContext | undefined
  /**
   * Whether a write stores a marker in its transaction, which proves whether the write was applied and
   * keeps it from being applied twice. Reads and operations on tables ignore it.
   *
   * @defaultValue `false`
   */
  readonly exactWrites?: boolean | undefined
  /**
   * Names an exact write, so that it is applied once although it is repeated by several calls or
   * processes: 1 to 100 letters, digits and `_ . : @ -`. It belongs to the keys that the write changes,
   * and holds until its marker is swept. It implies `exactWrites`.
   */
  readonly idempotencyKey?: string | undefined
}

const IDEMPOTENCY_KEY = /^[\w.:@-]{1,100}$/

/** The options of every call: their names, their rules and their check. */
export const callOptions: DeclaredOptions<CallOptions> = declareOptions<CallOptions>({
  budget: requestBudgetRule,
  context: contextRule,
  deadline: deadlineRule,
  exactWrites: trueOrFalse,
  hedgeAfter: wholeNumber(),
  idempotencyKey: rule(
    'a text of 1 to 100 letters, digits and _ . : @ -',
    (key) => typeof key === 'string' && IDEMPOTENCY_KEY.test(key),
  ),
  locationMode: locationRule,
  retry: retryRule,
  signal: withMethods('an AbortSignal', 'addEventListener'),
  timeout: wholeNumber(),
})
