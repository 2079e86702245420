import {
  type Account,
  codecOf,
  type EntityModel,
  normalValues,
  type TableParts,
  type TableQuery,
} from '@rowkey/mapper'
import type { EntityKey } from '@rowkey/odata'
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

/** The rows that a table from `within` has, for patterns that are opened by it. */
export interface RowsWithin {
  /** The caller's table. */
  readonly given: RestrictedTable<object>
  readonly table: ModelTable
  /** What their PartitionKeys begin with, or have as a whole. */
  readonly partitions: { readonly beginning: string; readonly isOne: boolean }
  /** The condition that the rows meet. */
  readonly where: object
  /**
   * Gives the values of a call the fixed properties.
   *
   * @throws InputError (`OutsideWithin`) for those of other rows
   */
  complete<Values>(values: object): Values
  /**
   * Returns the key of an entity, which may lack the fixed properties.
   *
   * @throws InputError (`OutsideWithin`) for another row
   */
  keyOf(entity: object): EntityKey
}

/**
 * Makes what a declaration returns that also opens the rows of one table from `within`.
 *
 * @param model - the model of the declaration
 * @param place - the declaration, for messages
 * @param open - opens what was declared in a table, for all rows or for those of a table from `within`
 * @param read - returns the calls that read these rows
 */
export function declaredWithin<Opened, Reads>(
  model: EntityModel<object, object, object>,
  place: string,
  open: (table: ModelTable, rows?: RowsWithin) => Opened,
  read: (opened: Opened, rows: RowsWithin) => Reads,
): { on(given: Account | RestrictedTable<object>, options?: object): Opened | Reads } {
  const { on } = declared(model, place, open)
  return {
    on(given, options) {
      if (!isTable(given)) return on(given, options)
      const rows = rowsWithin(given, model, place)
      return read(open(rows.table, rows), rows)
    },
  }
}

function isTable(given: object): given is RestrictedTable<object> {
  return Object(given).parts !== undefined
}

/** @throws InputError (`InvalidPatternOption`) for a table of other rows, or of all */
function rowsWithin(
  given: RestrictedTable<object>,
  model: EntityModel<object, object, object>,
  place: string,
): RowsWithin {
  const { within, kept, opener, service, name } = given.parts
  if (within === undefined || kept !== model.kept) {
    throw invalidPatternOption(
      `on of ${place} takes an account, or a table of this model alone that within has restricted: account.table(${model.title}).within({ … }).`,
    )
  }
  return {
    given,
    // An account opened the table of a model.
    table: { model, account: opener as Account, service, name },
    partitions: within,
    where: within.where,
    complete<Values>(values: object) {
      const all = { ...within.values, ...values }
      within.checkKey({ partitionKey: model.partitionKey.print(normalValues(model, all)) })
      return all as Values
    },
    keyOf(entity) {
      const key = codecOf(model).keyOf(within.shown(entity))
      within.checkKey(key)
      return key
    },
  }
}
