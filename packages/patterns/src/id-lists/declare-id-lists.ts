import type {
  Account,
  EntityModel,
  KeptCall,
  KeptPlan,
  KeyCodec,
  RowKeeper,
  RowTransition,
} from '@rowkey/mapper'
import type { FilterNode } from '@rowkey/odata'
import { type Change, checkOptions } from '@rowkey/rest'
import { isConflict } from '../conflicts/retry-conflicts.ts'
import { checkModel, checkRecord } from '../errors/check-arguments.ts'
import { GroupRows } from '../groups/entity-groups.ts'
import { keepFor } from '../rows/declarations.ts'
import { modelTable } from '../rows/model-table.ts'
import { IdList, listChanges } from './id-list.ts'
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

/** The entities that enter and leave one list. */
interface Movement {
  readonly idList: IdList
  readonly partitionKey: string
  readonly list: string
  readonly removed: Set<string>
  readonly added: Set<string>
}

/** Updates the id lists in the transaction of the write that moves an entity. */
class IdListKeeper implements RowKeeper {
  readonly rows: FilterNode
  readonly #lists: readonly IdList[]
  readonly #kept: GroupRows

  /**
   * @param model - the model whose entities are listed
   * @param lists - its lists
   * @throws ModelError when the keys of lists are not told apart from others
   */
  constructor(model: EntityModel<object, object, object>, lists: readonly IdList[]) {
    const groups = lists.map((list) => list.groups)
    this.#lists = lists
    this.#kept = new GroupRows(model, groups)
    this.rows = this.#kept.others
  }

  touches(names: ReadonlySet<string>): boolean {
    return this.#lists.some(({ groups: { template } }) =>
      this.#kept.hasStored(names, template.properties),
    )
  }

  async plan(transitions: readonly RowTransition[], call: KeptCall): Promise<KeptPlan> {
    this.#kept.checkKeys(transitions)
    const movements = this.#lists.flatMap((idList) => movementsOf(idList, transitions))
    const planned = await Promise.all(movements.map((each) => changesOf(each, call)))
    return {
      companions: planned.flat(),
      // Another program changed the list first, so it is read again.
      rejected: async (_, error) => (isConflict(error) ? undefined : error),
    }
  }
}

function movementsOf(idList: IdList, transitions: readonly RowTransition[]): readonly Movement[] {
  const movements = new Map<string, Movement>()
  const at = (partitionKey: string, list: string): Movement => {
    const made = {
      idList,
      partitionKey,
      list,
      removed: new Set<string>(),
      added: new Set<string>(),
    }
    const movement = movements.get(list) ?? made
    movements.set(list, movement)
    return movement
  }
  for (const { key, before, after } of transitions) {
    const was = before && idList.groups.keyOfRow(before)
    const is = after && idList.groups.keyOfRow(after)
    if (was === is) continue
    if (was !== undefined) at(key.partitionKey, was).removed.add(key.rowKey)
    if (is !== undefined) at(key.partitionKey, is).added.add(key.rowKey)
  }
  return [...movements.values()]
}

async function changesOf(
  { idList, partitionKey, list, removed, added }: Movement,
  { table, options }: KeptCall,
): Promise<readonly Change[]> {
  const rows = await idList.read(table, partitionKey, list, options)
  return listChanges({ table: table.name, partitionKey, list, rows, removed, added })
}
