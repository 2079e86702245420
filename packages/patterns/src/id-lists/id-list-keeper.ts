import type { EntityModel, KeptCall, KeptPlan, RowKeeper, RowTransition } from '@rowkey/mapper'
import type { FilterNode } from '@rowkey/odata'
import type { Change } from '@rowkey/rest'
import { isConflict } from '../conflicts/retry-conflicts.ts'
import { GroupRows } from '../groups/entity-groups.ts'
import { type IdList, listChanges } from './id-list.ts'

/** The entities that enter and leave one list. */
interface Movement {
  readonly idList: IdList
  readonly partitionKey: string
  readonly list: string
  readonly removed: Set<string>
  readonly added: Set<string>
}

/** Updates the id lists in the transaction of the write that moves an entity. */
export class IdListKeeper implements RowKeeper {
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
