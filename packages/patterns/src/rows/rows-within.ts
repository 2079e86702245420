import {
  type Account,
  type EntityModel,
  normalValues,
  type TableParts,
  type TableQuery,
} from '@rowkey/mapper'
import { invalidPatternOption } from '../errors/codes.ts'
import { declared, type ModelTable } from './model-table.ts'

/** A table from `within`, as patterns take it. */
export interface RestrictedTable<Row extends object> {
  /** @internal */
  readonly parts: Pick<TableParts<never>, 'kept' | 'name' | 'opener' | 'service' | 'within'>
  /** A table that has all rows can be restricted. */
  readonly within?: never
  /** Its rows. */
  query(): TableQuery<Row>
}

/** The values of a call without the fixed properties of a table. */
export type UnfixedValues<Values, Row> = {
  readonly [Name in keyof Values as Name extends keyof Row ? Name : never]: Values[Name]
}

/** The rows that a table from `within` has, for patterns that read them. */
export interface RowsWithin {
  readonly table: ModelTable
  /** The condition that the rows meet. */
  readonly where: object
  /**
   * Gives the values of a call the fixed properties.
   *
   * @throws InputError (`OutsideWithin`) for those of other rows
   */
  complete<Values>(values: object): Values
}

/**
 * Makes what a declaration returns that also opens the rows of one table from `within`.
 *
 * @param model - the model of the declaration
 * @param place - the declaration, for messages
 * @param open - opens what was declared in a table; with the caller's table, if it is one from `within`
 * @param read - returns the calls that read these rows
 */
export function declaredWithin<Opened, Reads>(
  model: EntityModel<object, object, object>,
  place: string,
  open: (table: ModelTable, given?: RestrictedTable<object>) => Opened,
  read: (opened: Opened, rows: RowsWithin) => Reads,
): { on(given: Account | RestrictedTable<object>, options?: object): Opened | Reads } {
  const { on } = declared(model, place, open)
  return {
    on(given, options) {
      if (!isTable(given)) return on(given, options)
      const rows = rowsWithin(given, model, place)
      return read(open(rows.table, given), rows)
    },
  }
}

function isTable(given: object): given is RestrictedTable<object> {
  return Object(given).parts !== undefined
}

/** @throws InputError (`InvalidPatternOption`) for a table of other rows, or of all */
function rowsWithin(
  { parts }: RestrictedTable<object>,
  model: EntityModel<object, object, object>,
  place: string,
): RowsWithin {
  const { within, kept, opener, service, name } = parts
  if (within === undefined || kept !== model.kept) {
    throw invalidPatternOption(
      `on of ${place} takes an account, or a table of this model alone that within has restricted: account.table(${model.title}).within({ … }).`,
    )
  }
  return {
    // An account opened the table of a model.
    table: { model, account: opener as Account, service, name },
    where: within.where,
    complete<Values>(values: object) {
      const all = { ...within.values, ...values }
      within.checkKey({ partitionKey: model.partitionKey.print(normalValues(model, all)) })
      return all as Values
    },
  }
}
