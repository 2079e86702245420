import type { Account, EntityModel, KeyCodec } from '@rowkey/mapper'
import { checkOptions } from '@rowkey/rest'
import { checkModel, checkRecord } from '../errors/check-arguments.ts'
import { keepFor } from '../rows/declarations.ts'
import { modelTable } from '../rows/model-table.ts'
import { IdList } from './id-list.ts'
import { IdListKeeper } from './id-list-keeper.ts'
import { ListedTable } from './listed-table.ts'

/** How one id list is declared, for {@link declareIdLists}. */
export interface IdListDefinition {
  /**
   * The key of a list: a fixed beginning, and the properties whose values its entities share. An entity without a value for one of
   * them is in no list.
   */
  readonly rowKey: KeyCodec
}

/** The options of {@link IdLists.on}. */
export interface ListedTableOptions {
  /** The table's name, when it is not the model's. */
  readonly name?: string | undefined
}

/** The id lists of a model, from {@link declareIdLists}. */
export class IdLists<Entity extends object, Name extends string> {
  readonly #model: EntityModel<object, object, object>
  readonly #lists: ReadonlyMap<string, IdList>

  /** @internal */
  constructor(model: EntityModel<object, object, object>, lists: ReadonlyMap<string, IdList>) {
    this.#model = model
    this.#lists = lists
  }

  /** Opens the id lists of one table. Nothing is sent. */
  on(account: Account, options: ListedTableOptions = {}): ListedTable<Entity, Name> {
    const table = modelTable(this.#model, account, options, 'id lists')
    return new ListedTable({ ...table, lists: this.#lists })
  }
}

/**
 * Declares lists of entities that share a value, such as all employees with one last name. A list is a row with the
 * RowKeys of its entities. From then on every write of the model's tables updates the lists in the same transaction. A
 * changed value touches three rows: the entity, the old list and the new one.
 *
 * Call it next to the model, before the first `account.table`. When the table has rows already, run `rebuild` for each partition.
 *
 * @param model - the model
 * @param definitions - the lists by their names
 * @throws ModelError when keys could be of two kinds, when a property is not stored, and after the first table of
 * the model was opened
 *
 * @example
 * ```ts
 * const lists = declareIdLists(Employee, { lastName: { rowKey: key`lastname_${'lastName'}` } })
 * const listed = lists.on(account)
 * for await (const jones of listed.query('lastName', { department: 'Sales', lastName: 'Jones' })) show(jones)
 * ```
 */
export function declareIdLists<
  Entity extends object,
  Input extends object,
  Key extends object,
  const Definitions extends Readonly<Record<string, IdListDefinition>>,
>(
  model: EntityModel<Entity, Input, Key>,
  definitions: Definitions,
): IdLists<Entity, keyof Definitions & string> {
  checkModel(model, 'declareIdLists')
  checkRecord(definitions, 'declareIdLists')
  const given = model as EntityModel<object, object, object>
  const lists = new Map<string, IdList>()
  for (const [name, definition] of Object.entries(definitions)) {
    checkOptions(definition, ['rowKey'], `Id list ${name} of ${model.title}`)
    lists.set(name, new IdList(name, given, definition.rowKey))
  }
  keepFor('declareIdLists', given, new IdListKeeper(given, [...lists.values()]))
  return new IdLists(given, lists)
}
