import type { Endpoint } from '../endpoint.ts'
import type { CallListener } from '../observe/call-event.ts'
import type { AttemptResult } from './attempt-result.ts'
import type { ClockSkew } from './clock-skew.ts'
import type { LocationMode } from './location-mode.ts'
import type { OperationContext } from './operation-context.ts'
import type { OwnTables } from './own-tables.ts'
import type { RetryBudget } from './retry-budget.ts'
import type { RetryPolicy } from './retry-policy.ts'
import type { Sleep } from './sleep.ts'

/** What the attempts of one call need from the service that makes them. */
export interface AttemptSettings {
  /** The account: where requests go. */
  readonly endpoint: Endpoint
  /** Whether and when to try again, unless the call says otherwise. */
  readonly retry: RetryPolicy
  /** Bounds the retries of all calls together; `undefined` for no bound. */
  readonly retryBudget: RetryBudget | undefined
  /** Milliseconds for one attempt, unless the call says otherwise. */
  readonly timeout: number
  /** Milliseconds for a whole call, unless the call says otherwise; `undefined` for no end. */
  readonly deadline: number | undefined
  /** Where reads go, unless the call says otherwise. */
  readonly locationMode: LocationMode
  /** Records the attempts of every call that has no context of its own. */
  readonly context: OperationContext | undefined
  /** Is told of every attempt once it has ended. */
  readonly onAttempt: ((result: AttemptResult) => void) | undefined
  /** Is told of what happens as it happens. */
  readonly onEvent: CallListener | undefined
  /** Milliseconds since 1970, UTC, on this machine. */
  readonly now: () => number
  /** From 0 up to but not including 1. */
  readonly random: () => number
  /** Waits between attempts. */
  readonly sleep: Sleep
  /** How far the service's clock is from this machine's, as far as answers have shown. */
  readonly skew: ClockSkew
  /** The tables that were created here just now, which the whole service may not know yet. */
  readonly ownTables: OwnTables
}
