import { and, type FilterNode, printFilter } from '@rowkey/odata'
import type { EntityClass } from '../../model/entity-class.ts'
import type { EntityModel } from '../../model/entity-model.ts'
import { toModel } from '../../model/to-model.ts'
import { livePath } from '../read/live-row.ts'
import { type Keeping, setKeeping, type TableSource } from './kept-models.ts'
import { keptSender } from './kept-sender.ts'
import { PartitionTurns } from './partition-turns.ts'
import { pathSource } from './path-source.ts'
import { planAll } from './plan-all.ts'
import type { KeptCall, KeptPlan, RowKeeper, RowTransition } from './row-keeper.ts'

const keepersOf = new WeakMap<object, readonly RowKeeper[]>()

/**
 * Registers a keeper for all tables of a class or model. Every write of its rows then stores the keeper's
 * rows in the same transaction. This holds for single calls, batches, operations and `modify`.
 *
 * @param model - the class or model
 * @param keeper - plans what is stored with each write. A keeper that the model has already counts once
 * @throws {@link ModelError} after the first table of the model was opened, because that table would not keep
 * the rows
 *
 * @example
 * ```ts
 * keepRows(Order, { touches: () => true, plan: async (transitions) => auditOf(transitions) })
 * const orders = account.table(Order) // each write also stores the rows that auditOf returns
 * ```
 */
export function keepRows(
  model: EntityClass<object> | EntityModel<object>,
  keeper: RowKeeper,
): void {
  const kept = toModel(model)
  const keepers = [...new Set([...(keepersOf.get(kept) ?? []), keeper])]
  setKeeping(kept, keepingBy(keepers))
  keepersOf.set(kept, keepers)
}

/**
 * Returns the condition that only the entities of a model meet, and not the rows that keepers store beside them.
 *
 * @param model - the class or model
 * @returns `undefined` when no keeper stores rows beside the entities
 *
 * @example
 * ```ts
 * const filter = entityRows(Order) // leaves out the entries of indexes, the rows of summaries and so on
 * ```
 */
export function entityRows(
  model: EntityClass<object> | EntityModel<object>,
): FilterNode | undefined {
  const conditions = conditionsOf(keepersOf.get(toModel(model)) ?? [])
  return conditions.length === 0 ? undefined : and(...conditions)
}

/**
 * Plans what the keepers of a model store with some of its writes. A keeper calls it when its own rows are entities of another
 * model, whose indexes or counts follow from them.
 *
 * @param model - the class or model whose rows are written
 * @param transitions - what the writes do, each to another row of one partition
 * @param call - the call of the keeper that writes them
 * @returns an empty plan when the model has no keepers
 *
 * @example
 * ```ts
 * const plan = await planKeptRows(Department, transitions, call)
 * return { companions: [...changes, ...plan.companions], rejected }
 * ```
 */
export async function planKeptRows(
  model: EntityClass<object> | EntityModel<object>,
  transitions: readonly RowTransition[],
  call: KeptCall,
): Promise<KeptPlan> {
  return planAll(keepersOf.get(toModel(model)) ?? [], transitions, call)
}

function conditionsOf(keepers: readonly RowKeeper[]): readonly FilterNode[] {
  return keepers.flatMap(({ rows }) => rows ?? [])
}

function keepingBy(keepers: readonly RowKeeper[]): Keeping {
  const turns = new PartitionTurns()
  return {
    uncopied: keepers.find(({ uncopied }) => uncopied !== undefined)?.uncopied,
    sender: (writes) => keptSender(writes, keepers, turns),
    source(source, table, lifetime) {
      const paths = keepers.flatMap(({ path }) => path ?? [])
      const live = paths.map((path) => livePath(path, lifetime))
      return pathSource(withoutKept(source, keepers), table, live)
    },
  }
}

/** Adds the condition that leaves out the rows that keepers store. */
function withoutKept<Entity>(
  source: TableSource<Entity>,
  keepers: readonly RowKeeper[],
): TableSource<Entity> {
  const conditions = conditionsOf(keepers).map(printFilter)
  if (conditions.length === 0) return source
  return {
    ...source,
    fetchPage(query, page, options) {
      const all = query.filter === undefined ? conditions : [query.filter, ...conditions]
      const filter = all.map((each) => `(${each})`).join(' and ')
      return source.fetchPage({ ...query, filter }, page, options)
    },
  }
}
