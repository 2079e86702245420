import type { CheckChoices, CheckPlace } from './checks/check-name.ts'
import type { Transport } from './http/transport.ts'
import type { AttemptResult } from './observe/attempt-result.ts'
import type { CallListener } from './observe/call-event.ts'
import type { OperationContext } from './observe/operation-context.ts'
import type { Sleep } from './retry/clock.ts'
import type { LocationMode } from './retry/locations.ts'
import type { RetryBudget } from './retry/retry-budget.ts'
import type { RetryPolicy } from './retry/retry-policies.ts'

/**
 * How an entity is asked for whose key has a percent sign: by its path as any other, or in a batch of
 * its own, for services that decode a path twice.
 */
export type PercentKeys = 'batch' | 'path'

/** How a {@link TableService} sends; everything has a default. */
export interface TableServiceSettings {
  /**
   * Whether plain http to another machine is allowed.
   *
   * @defaultValue `false`
   */
  readonly allowInsecure?: boolean | undefined
  /**
   * Where rules of the service are checked, all of them or each by its name: before anything is sent,
   * or by the service, which then answers with its own error.
   *
   * @defaultValue `'before sending'`
   */
  readonly checks?: CheckPlace | CheckChoices | undefined
  /**
   * How an entity is asked for whose key has a percent sign. `'batch'` is for services that decode a
   * path twice, and so read another key than was meant; a batch costs as much as a request.
   *
   * @defaultValue `'path'`
   */
  readonly percentKeys?: PercentKeys | undefined
  /**
   * What carries requests. The service closes it when it is closed itself.
   *
   * @defaultValue `undiciTransport()`
   */
  readonly transport?: Transport | undefined
  /**
   * Whether and when to try again.
   *
   * @defaultValue `exponentialRetry()`
   */
  readonly retry?: RetryPolicy | undefined
  /**
   * Bounds the retries of all calls together; `false` for no bound.
   *
   * @defaultValue `retryBudget()`
   */
  readonly retryBudget?: RetryBudget | false | undefined
  /**
   * Milliseconds for one attempt, from its start to the last byte of the answer.
   *
   * @defaultValue `30_000`, as long as the service itself works on a request
   */
  readonly timeout?: number | undefined
  /**
   * Milliseconds for each whole call: all attempts, the waits between them, and the reads that settle
   * a doubt. The pages of one run of a query share it.
   *
   * @defaultValue none
   */
  readonly deadline?: number | undefined
  /**
   * Where reads go; every mode but `'primaryOnly'` needs an endpoint with a secondary. Writes only
   * ever go to the primary.
   *
   * @defaultValue `'primaryOnly'`
   */
  readonly locationMode?: LocationMode | undefined
  /** Is told of every attempt once it has ended. What it throws is dropped. */
  readonly onAttempt?: ((result: AttemptResult) => void) | undefined
  /**
   * Is told of every request, answer, retry and end of a call, as they happen: what
   * {@link openTelemetryBridge} listens to.
   */
  readonly onEvent?: CallListener | undefined
  /** Records the attempts of every call that has no context of its own. */
  readonly context?: OperationContext | undefined
  /**
   * The clock: milliseconds since 1970, UTC. It dates requests.
   *
   * @defaultValue `Date.now`
   */
  readonly now?: (() => number) | undefined
  /**
   * A number from 0 up to but not including 1, for the waits between attempts.
   *
   * @defaultValue `Math.random`
   */
  readonly random?: (() => number) | undefined
  /**
   * Waits between attempts.
   *
   * @defaultValue the clock of the machine
   */
  readonly sleep?: Sleep | undefined
  /**
   * Makes the id of a call, which the service logs as `x-ms-client-request-id`.
   *
   * @defaultValue `crypto.randomUUID`
   */
  readonly newId?: (() => string) | undefined
}
