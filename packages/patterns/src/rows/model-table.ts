import type { Account, EntityModel, KeptTable } from '@rowkey/mapper'
import { checkArgument } from '../errors/check-argument.ts'
import { anAccount, aText } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'

const tableOptions = declarePattern<{ readonly name?: string | undefined }>({ name: aText })

/** A table of a model. */
export interface ModelTable extends KeptTable {
  readonly model: EntityModel<object, object, object>
  readonly account: Account
}

/** What was declared for a model. */
export interface Declared<Table> {
  /**
   * Opens what was declared in one table. Nothing is sent.
   *
   * @param account - the account of the table
   * @param options - the `name` of the table, when it is not the model's
   */
  on(account: Account, options?: { readonly name?: string | undefined }): Table
}

/**
 * Makes what a declaration returns.
 *
 * @param model - the model of the declaration
 * @param place - the declaration, for messages
 * @param open - opens what was declared in a table
 */
export function declared<Table>(
  model: EntityModel<object, object, object>,
  place: string,
  open: (table: ModelTable) => Table,
): Declared<Table> {
  return {
    on: (account, options = {}) => open(modelTable(model, account, options, place)),
  }
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
  options: { readonly name?: string | undefined },
  place: string,
): ModelTable {
  checkArgument(anAccount, account, `on of ${place}`)
  tableOptions.check(options, place)
  const { name } = account.table(model, options)
  return { model, account, service: account.service, name }
}
