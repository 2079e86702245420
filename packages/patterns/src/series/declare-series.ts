import { type Column, type EntityModel, forbidKeepers, ModelError } from '@rowkey/mapper'
import { EDM_TYPES, type EdmType, type EdmValue, oneOf, required } from '@rowkey/odata'
import { checkArgument } from '../errors/check-argument.ts'
import { aModel, aText } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'
import { type Declared, declared } from '../rows/model-table.ts'
import { SeriesSlots, type Slots, someSlots } from './series-slots.ts'
import { SeriesTable } from './series-table.ts'

/** How a series is stored, for {@link declareSeries}. */
export interface SeriesOptions<Declared extends Slots, Type extends EdmType> {
  /** The beginning of the stored names of all slots: `h` for h00 to h23. */
  readonly prefix: string
  /** How many slots there are, or their names. At most 252, with the other properties of the row. */
  readonly slots: Declared
  /** The stored type of the values: `Int32`, `Int64`, `Double`, `String` or any other. */
  readonly type: Type
}

const seriesOptions = declarePattern<SeriesOptions<Slots, EdmType>>({
  prefix: required(aText),
  slots: required(someSlots),
  type: required(oneOf(...EDM_TYPES)),
})

/** A series of values in the rows of a model, from {@link declareSeries}. */
export type DataSeries<Key extends object, Given extends Slots, Type extends EdmType> = Declared<
  SeriesTable<Key, Given, EdmValue<Type>>
>

/**
 * Declares a series of values that is stored in the rows of a model. Each slot has one property, such as
 * h00 to h23 for the hours of a day. One request changes one slot, and one request reads all of them as an
 * array.
 *
 * The table of the model does not see the slots, and keeps those of rows that it has read. So the other properties of the row are
 * read and written by `account.table(model)`. Its `insertOrReplace`, and its `replace` of an object that was not read, remove the slots.
 *
 * @param model - the model of the rows, from `defineEntity`
 * @param options - the slots and the type of their values
 * @throws ModelError when the row would have more than 252 properties or two with the same name. Also when
 * the model is signed, has a version from 2 or a lifetime, or has indexes, summaries or other declarations
 *
 * @example
 * ```ts
 * const perHour = declareSeries(MessageStats, { prefix: 'h', slots: 24, type: 'Int32' })
 * const messages = perHour.on(account)
 * await messages.set({ employee: 'jones', day }, 9, 12)          // stores h09
 * const counts = await messages.read({ employee: 'jones', day }) // [undefined, …, 12, …]
 * ```
 */
export function declareSeries<
  Entity extends object,
  Input extends object,
  Key extends object,
  const Declared extends Slots,
  Type extends EdmType,
>(
  model: EntityModel<Entity, Input, Key>,
  options: SeriesOptions<Declared, Type>,
): DataSeries<Key, Declared extends number ? number : Declared, Type> {
  seriesOptions.check(options, 'declareSeries')
  checkArgument(aModel, model, 'declareSeries')
  const given = model as EntityModel<object, object, object>
  const { prefix, slots, type } = options
  const problem = problemOf(given)
  if (problem !== undefined) throw new ModelError({ className: model.title, problem })
  const stored = new SeriesSlots(given, prefix, slots, type)
  forbidKeepers(given, { declaration: 'declareSeries', reason: BYPASS })
  const parts = { slots: stored, keyColumns: keyColumnsOf(given) }
  return declared(given, 'a data series', (table) => new SeriesTable({ ...table, ...parts }))
}

const BYPASS = 'a series writes single slots, past the tables of the model.'

/** Returns the parts of the key that rows also store by themselves, such as one with a hash. */
function keyColumnsOf({ columns, partitionKey, rowKey }: EntityModel<object>): readonly Column[] {
  const parts = [...partitionKey.properties, ...rowKey.properties]
  return columns.filter(({ property }) => parts.includes(property))
}

function problemOf(model: EntityModel<object>): string | undefined {
  const { signing, version } = model
  const isChanged = ({ encryption, converter, chunked }: Column) =>
    encryption !== undefined || converter !== undefined || chunked !== undefined
  const changed = keyColumnsOf(model).find(isChanged)
  if (changed !== undefined) {
    return `'${changed.property}' is a part of the key that is also stored encrypted, converted or in pieces, which a series cannot do. Store it as it is.`
  }
  if (signing !== undefined) {
    return 'Its rows are signed, and a write of one slot would break the signature. Store the series in rows of another model.'
  }
  if ((version?.number ?? 1) > 1) {
    return 'A new row of the series would have version 1. Store the series in rows of a model without versions.'
  }
  return undefined
}
