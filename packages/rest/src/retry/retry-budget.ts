import { declareOptions, type Rule, rule, wholeNumber, withMethods } from '@rowkey/odata'

/** With less, half of the requests failing would exhaust the budget: see docs/project/reliability.md. */
const EARNINGS = 1.25
const MOST_EARNINGS = 2

/**
 * Bounds how many retries all calls together may make, so that clients do not flood a service in an
 * outage. Services can share one budget.
 */
export interface RetryBudget {
  /**
   * Takes one retry from the budget.
   *
   * @returns `false` when none is left; the call then fails with its last error
   */
  spend(): boolean
  /** Returns retries to the budget, after a call that succeeded. */
  earn(): void
}

/** The options of {@link retryBudget}. */
export interface RetryBudgetOptions {
  /**
   * The number of retries at the start, and at most.
   *
   * @defaultValue `100`
   */
  readonly capacity?: number | undefined
  /**
   * How many retries each success returns: more than 0, at most 2.
   *
   * @defaultValue `1.25`
   */
  readonly earnings?: number | undefined
}

const budgetOptions = declareOptions<RetryBudgetOptions>({
  capacity: wholeNumber(),
  earnings: rule(
    `a number above 0 and at most ${MOST_EARNINGS}`,
    (value) => Number(value) > 0 && Number(value) <= MOST_EARNINGS && typeof value === 'number',
  ),
})

/**
 * Makes a bucket of retries: each retry takes one, and each success returns some.
 *
 * Successes tell partial trouble from an outage. With the defaults, while up to half of the requests
 * fail, successes return more retries than calls need. In an outage nothing is returned, so after the
 * first hundred retries each call makes one attempt. A retry after throttling (429)
 * takes nothing: the service did no work, and asks clients to come back.
 *
 * @param options - the size of the bucket
 * @throws `InputError` (`UnknownOption` or `InvalidOptionValue`)
 *
 * @example
 * ```ts
 * const budget = retryBudget({ capacity: 500 })
 * const orders = tableService({ connectionString: process.env.ORDERS!, retryBudget: budget })
 * const people = tableService({ connectionString: process.env.PEOPLE!, retryBudget: budget })
 * ```
 */
export function retryBudget(options: RetryBudgetOptions = {}): RetryBudget {
  budgetOptions.check(options, 'retryBudget')
  const { capacity = 100, earnings = EARNINGS } = options
  let left = capacity
  return Object.freeze({
    spend(): boolean {
      if (left < 1) return false
      left -= 1
      return true
    },
    earn(): void {
      left = Math.min(capacity, left + earnings)
    },
  })
}

const isBudget = withMethods('a RetryBudget', 'spend', 'earn')

/** The rule of the account's {@link RetryBudget}. */
export const budgetRule: Rule = rule(
  'a RetryBudget, such as retryBudget(), or false',
  (budget) => budget === false || isBudget.accepts(budget),
)
