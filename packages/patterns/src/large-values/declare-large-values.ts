import { type Account, type EntityModel, keepRows, ModelError, type Table } from '@rowkey/mapper'
import { aFunction, required } from '@rowkey/odata'
import { checkArgument } from '../errors/check-argument.ts'
import { aModel, aText } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'
import type { Declared, ModelTable } from '../rows/model-table.ts'
import {
  declaredWithin,
  type RestrictedTable,
  type RowsWithin,
  type UnfixedValues,
} from '../rows/rows-within.ts'
import { largeValueKeeper } from './large-value-keeper.ts'
import { type LargeValueStore, storesOf } from './large-value-store.ts'
import { LargeValueTable } from './large-value-table.ts'

/** How a property is stored outside, for {@link declareLargeValues}. */
export interface LargeValuesOptions<Entity extends object> {
  /** The property that holds the address of the value: a text that may be absent. */
  readonly property: keyof Entity & string
  /**
   * Returns what keeps the values of an account. It is called once for each account that is used, so a table of one account never
   * writes to the store of another.
   *
   * @param account - the account of the tables
   */
  readonly store: (account: Account) => LargeValueStore
}

/** What opens the large values of the rows that a table from `within` has: {@link declareLargeValues} returns it. */
export interface LargeValuesWithin<Input extends object, Key extends object> {
  /**
   * Opens the large values of these rows: no call reaches a value of another row. Nothing is sent.
   *
   * @param table - a table of the model, from `within`
   *
   * @example
   * ```ts
   * const acme = account.table(Photo).within({ tenant: 'acme' })
   * await photos.on(acme).save(await acme.get({ id: 7 }), bytes)
   * ```
   */
  on<Row extends object>(
    table: RestrictedTable<Row>,
  ): LargeValueTable<Row, UnfixedValues<Input, Row>, UnfixedValues<Key, Row>>
}

const largeValuesOptions = declarePattern<LargeValuesOptions<never>>({
  property: required(aText),
  store: required(aFunction),
})

/**
 * Declares that the values of a property are stored outside, because they do not fit a row: the property holds an
 * address. From then on each write of the model's tables is rejected if its row would refer to a missing value.
 *
 * Call it next to the model, before the first write.
 *
 * @param model - the model
 * @param options - the property and the store
 * @throws ModelError when the property is not plain text
 *
 * @example
 * ```ts
 * const photos = declareLargeValues(Employee, { property: 'photo', store: () => blobStore(container) })
 * const jones = await account.table(Employee).get({ department: 'Sales', id: 223 })
 * await photos.on(account).save(jones, bytes)
 * ```
 */
export function declareLargeValues<Entity extends object, Input extends object, Key extends object>(
  model: EntityModel<Entity, Input, Key>,
  options: LargeValuesOptions<Entity>,
): Declared<LargeValueTable<Entity, Input, Key>> & LargeValuesWithin<Input, Key> {
  largeValuesOptions.check(options, 'declareLargeValues')
  checkArgument(aModel, model, 'declareLargeValues')
  const { property, store } = options
  const given = model as EntityModel<object, object, object>
  const column = given.columns.find((each) => each.property === property)
  const isText = column?.type === undefined || column.type === 'String'
  if (column === undefined || !isText || column.encryption || column.chunked || column.converter) {
    throw new ModelError({
      className: model.title,
      property,
      problem:
        'It must be a stored property of plain text, which holds the address of the value. Declare it as an optional string.',
    })
  }
  const values = { model: given, property, name: column.name, storeOf: storesOf(store) }
  keepRows(given, largeValueKeeper(values), 'declareLargeValues')
  const open = (table: ModelTable, within?: RowsWithin) => {
    const rows = within?.given ?? table.account.table(model, table.name)
    return new LargeValueTable({ table, rows: rows as Table<object>, values, within })
  }
  return declaredWithin(given, 'large values', open, (opened) => opened) as never // tables of the model
}
