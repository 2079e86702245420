import type { Account, EntityModel } from '@rowkey/mapper'
import { aFunction, oneOf, required, rule, showingText } from '@rowkey/odata'
import { checkArgument } from '../errors/check-argument.ts'
import { aModel, anAccount } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'
import { PeriodTableSet, type PeriodTablesOptions } from './period-table-set.ts'

const PREFIX = /^[A-Za-z](?:[A-Za-z0-9]{0,51}[A-Za-z])?$/
const aPrefix = rule(
  'a text of 1 to 53 letters and digits that begins with a letter and does not end with a digit',
  (value) => typeof value === 'string' && PREFIX.test(value),
)

const periodOptions = declarePattern<PeriodTablesOptions<never>>({
  prefix: required(showingText(aPrefix)),
  period: required(oneOf('hour', 'day', 'month', 'year')),
  at: required(aFunction),
})

/** A table for each period of time, from {@link periodTables}. */
export interface PeriodTables<Entity extends object, Input extends Entity, Key extends object> {
  /**
   * Opens the tables of one account. Nothing is sent.
   *
   * @param account - the account of the tables
   */
  on(account: Account): PeriodTableSet<Entity, Input, Key>
}

/**
 * Divides the entities of a model into one table for each period of time, such as `Logins20261120`. To delete the rows of a period, it
 * drops their table: one request instead of one for each 100 rows. Tables are created when their first row is written.
 *
 * @param model - the model of their rows
 * @param options - the names of the tables and the time of an entity
 *
 * @example
 * ```ts
 * const logins = periodTables(Login, { prefix: 'Logins', period: 'day', at: ({ at }) => at }).on(account)
 * await logins.insert({ user: 'jones', at: new Date() })
 * await logins.dropBefore(new Date(Date.now() - 30 * 86_400_000))
 * ```
 */
export function periodTables<Entity extends object, Input extends Entity, Key extends object>(
  model: EntityModel<Entity, Input, Key>,
  options: PeriodTablesOptions<Entity>,
): PeriodTables<Entity, Input, Key> {
  checkArgument(aModel, model, 'periodTables')
  periodOptions.check(options, 'periodTables')
  return {
    on(account) {
      checkArgument(anAccount, account, 'on of periodTables')
      return new PeriodTableSet(account, model, options)
    },
  }
}
