import { restInputError } from '../errors/codes.ts'

import { checkOptions, checkWholeNumber } from '../options/check-options.ts'

/** With less, half of the requests failing would exhaust the budget: see docs/lost-responses.md. */
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
  checkOptions(options, { capacity: true, earnings: true }, 'retryBudget')
  const capacity = checkWholeNumber(options.capacity ?? 100, 'capacity', 'retryBudget')
  const earnings = checkEarnings(options.earnings ?? EARNINGS)
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

function checkEarnings(earnings: unknown): number {
  if (typeof earnings === 'number' && earnings > 0 && earnings <= MOST_EARNINGS) {
    return earnings
  }
  throw restInputError({
    code: 'InvalidOptionValue',
    message: 'earnings of retryBudget must be a number above 0 and at most 2.',
  })
}

/**
 * Rejects a value that is not a {@link RetryBudget}, `false` or `undefined`.
 *
 * @param budget - the option of a service
 * @throws `InputError` (`InvalidOptionValue`)
 */
export function checkRetryBudget(budget: RetryBudget | false | undefined): void {
  if (budget === undefined || budget === false) return
  if (typeof budget?.spend === 'function' && typeof budget.earn === 'function') return
  throw restInputError({
    code: 'InvalidOptionValue',
    message: 'retryBudget of tableService must be a RetryBudget, such as retryBudget(), or false.',
  })
}
