import { checkOptions } from '../check-options.ts'
import { checkWholeNumber } from '../check-whole-number.ts'
import { OptionValueError } from '../errors/option-value-error.ts'

/**
 * Bounds how many retries all calls together may make, so that an outage is not answered by a storm.
 * Services that share one share the bound.
 */
export interface RetryBudget {
  /**
   * Asks for one retry, and takes it from what is left.
   *
   * @returns whether there was one left; the call fails with what it has when there was not
   */
  spend(): boolean
  /** Puts back what a call is worth that succeeded. */
  earn(): void
}

/** How much {@link retryBudget} allows. */
export interface RetryBudgetOptions {
  /**
   * How many retries there are at the start and at most.
   *
   * @defaultValue `100`
   */
  readonly capacity?: number | undefined
  /**
   * How many retries a success is worth: more than 0, at most 1.
   *
   * @defaultValue `0.2`
   */
  readonly earnings?: number | undefined
}

/**
 * Makes a bucket of retries: each retry takes one out, and each success puts a fraction of one back.
 *
 * With the defaults, calls that fail once in ten go on being retried for ever, since nine successes
 * are worth more than one retry. In an outage nothing is earned, so after the first hundred retries
 * each call makes one attempt and no more.
 *
 * @param options - how much
 * @throws {@link UnknownOptionError} or {@link OptionValueError} for options that cannot be
 *
 * @example
 * ```ts
 * const budget = retryBudget({ capacity: 500 })
 * const orders = tableService({ connectionString: process.env.ORDERS!, retryBudget: budget })
 * const people = tableService({ connectionString: process.env.PEOPLE!, retryBudget: budget })
 * ```
 */
export function retryBudget(options: RetryBudgetOptions = {}): RetryBudget {
  checkOptions(options, ['capacity', 'earnings'], 'retryBudget')
  const capacity = checkWholeNumber(options.capacity ?? 100, 'capacity', 'retryBudget')
  const earnings = checkEarnings(options.earnings ?? 0.2)
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
  if (typeof earnings === 'number' && earnings > 0 && earnings <= 1) return earnings
  throw new OptionValueError({
    message: 'earnings of retryBudget must be a number above 0 and at most 1.',
  })
}

/**
 * Refuses what is no {@link RetryBudget}.
 *
 * @param budget - the option of a service
 * @throws {@link OptionValueError}
 */
export function checkRetryBudget(budget: RetryBudget | false | undefined): void {
  if (budget === undefined || budget === false) return
  if (typeof budget?.spend === 'function' && typeof budget.earn === 'function') return
  throw new OptionValueError({
    message: 'retryBudget of tableService must be a RetryBudget, such as retryBudget(), or false.',
  })
}
