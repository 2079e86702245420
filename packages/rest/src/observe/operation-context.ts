import { aFunction, declareOptions, type Rule, rule } from '@rowkey/odata'
import type { AttemptResult, CallListener } from './call-event.ts'
import { type RequestBudget, requestBudgetRule } from './request-budget.ts'

/** The options of an {@link OperationContext}. */
export interface OperationContextOptions {
  /** Receives every request, response, retry and the end of the call, as they happen. */
  readonly onEvent?: CallListener | undefined
  /**
   * How many requests the calls that it records may make together. Give the context of an account one to bound all calls of the account.
   *
   * @defaultValue no limit
   */
  readonly budget?: RequestBudget | undefined
}

const contextOptions = declareOptions<OperationContextOptions>({
  budget: requestBudgetRule,
  onEvent: aFunction,
})

/**
 * Records one call: every HTTP request it made. Make a new context for each call: another call with the context of one
 * is rejected. A query, a bulk write and every other run is one call. The context of an account records all of its calls.
 *
 * @example
 * ```ts
 * const context = new OperationContext()
 * await perform(service, getEntity, { table, key }, { context })
 * console.log(context.attempts.length, context.lastAttempt?.requestId)
 * ```
 */
export class OperationContext {
  /** Every attempt so far, in order. */
  readonly attempts: AttemptResult[] = []
  /** The listener of the call's events, when there is one. */
  readonly onEvent: CallListener | undefined
  /** How many requests the calls that it records may make together; `undefined` for no limit. */
  readonly budget: RequestBudget | undefined

  /**
   * @param options - the listener of the call's events, and a budget
   * @throws `InputError` (`UnknownOption`) for an unknown option, and (`InvalidOptionValue`) for a listener
   * that is not a function
   */
  constructor(options: OperationContextOptions = {}) {
    contextOptions.check(options, 'OperationContext')
    this.onEvent = options.onEvent
    this.budget = options.budget
  }

  /** The last attempt; `undefined` before the first one. */
  get lastAttempt(): AttemptResult | undefined {
    return this.attempts.at(-1)
  }

  /**
   * Whether the result may be out of date because a secondary returned it. The service's statistics
   * say how far it lags behind.
   */
  get mayBeStale(): boolean {
    return this.lastAttempt?.location === 'secondary'
  }
}

/** The rule of an {@link OperationContext}. */
export const contextRule: Rule = rule('an OperationContext', (context) =>
  Array.isArray(Object(context).attempts),
)
