import { checkValue, type Rule, wholeNumber } from '@rowkey/odata'
import { rejectQuery } from '../errors/invalid-query.ts'
import { ConcurrencyLevel } from './concurrency-level.ts'

/** The rule of the number of concurrent requests. */
export const concurrencyRule: Rule = wholeNumber(1, Number.MAX_SAFE_INTEGER)

/**
 * Returns the level of one run. It is that of the account, or one of its own when the caller fixes the number. Then it halves only
 * while the service throttles.
 *
 * @param concurrency - the caller's number, if any
 * @param account - the level of the account, if it has one
 * @param where - the call, for the message
 * @throws InputError with the code `InvalidQuery` for an invalid number
 */
export function levelOfRun(
  concurrency: number | undefined,
  account: ConcurrencyLevel | undefined,
  where = 'a run',
): ConcurrencyLevel {
  if (concurrency === undefined) return account ?? new ConcurrencyLevel()
  checkValue(concurrency, concurrencyRule, 'concurrency', where, rejectQuery)
  return new ConcurrencyLevel(account?.clock, { start: concurrency, ceiling: concurrency })
}
