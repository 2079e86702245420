import type { Account, EntityModel, KeptTable } from '@rowkey/mapper'
import { checkAccount } from '../errors/check-arguments.ts'
import { aText } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'

/** The options of `on` of every declaration. */
export interface PatternTableOptions {
  /**
   * The table's name.
   *
   * @defaultValue the name of the model
   */
  readonly name?: string | undefined
}

const tableOptions = declarePattern<PatternTableOptions>({ name: aText })

/** A table of a model. */
export interface ModelTable extends KeptTable {
  readonly model: EntityModel<object, object, object>
  readonly account: Account
}

/**
 * Checks the table that the rows of a declaration are in. Nothing is sent.
 *
 * @param model - the model of the declaration
 * @param account - the caller's account
 * @param options - the caller's options: the name of the table, when it is not the model's
 * @param place - the declaration, for messages
 * @throws InputError or ModelError for an invalid account, option or name
 */
export function modelTable(
  model: EntityModel<object, object, object>,
  account: Account,
  options: PatternTableOptions,
  place: string,
): ModelTable {
  checkAccount(account, `on of ${place}`)
  tableOptions.check(options, place)
  const { name } = account.table(model, options)
  return { model, account, service: account.service, name }
}
