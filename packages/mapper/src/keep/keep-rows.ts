import { and, type FilterNode } from '@rowkey/odata'
import { ModelError } from '../errors/model-error.ts'
import { mayBeKept, notKept } from '../keys/reserved-key.ts'
import type { EntityClass } from '../model/entity-class.ts'
import type { EntityModel } from '../model/entity-model.ts'
import type { LoneDeclaration } from '../model/kept-slot.ts'
import { toModel } from '../model/to-model.ts'
import { keyFilter } from '../rows/query-model-of.ts'
import { joinPlans } from './join-plans.ts'
import { Keepers, keepersIn } from './keepers.ts'
import type { KeptCall, KeptPlan, RowKeeper, RowTransition } from './row-keeper.ts'

/**
 * Registers a keeper for all tables of a class or model, those that are open included. Every write of its rows from then on stores the
 * keeper's rows in the same transaction. This holds for single calls, batches, operations and `modify`.
 *
 * @param model - the class or model
 * @param keeper - plans what is stored with each write. A keeper that the model has already counts once
 * @param declaration - the function that the caller used, for messages
 * @throws {@link ModelError} when rows of the model are written past its tables
 *
 * @example
 * ```ts
 * keepRows(Order, { touches: () => true, plan: async (transitions) => auditOf(transitions) })
 * await account.table(Order).insert(order) // also stores the rows that auditOf returns
 * ```
 */
export function keepRows(
  model: EntityClass<object> | EntityModel<object>,
  keeper: RowKeeper,
  declaration = 'keepRows',
): void {
  const { title, kept, rowKey } = toModel(model)
  if (kept.alone !== undefined) throw notShared(title, kept.alone, declaration)
  // Queries of a model send the fixed beginning of its RowKeys, and no kept row has it.
  const current = keepersIn(kept) ?? new Keepers([], mayBeKept(rowKey))
  if (current.declared.some((each) => each.keeper === keeper)) return
  kept.keepers = current.with([...current.declared, { keeper, declaration }], mayBeKept(rowKey))
}

/**
 * Records that the rows of a class or model are written past its tables, so that nothing can be kept in step with them.
 *
 * @param model - the class or model
 * @param alone - the declaration that writes so, and why
 * @throws {@link ModelError} when a keeper is declared for the model, or its rows have a lifetime
 *
 * @example
 * ```ts
 * forbidKeepers(Reading, { declaration: 'wideEntity', reason: 'Its rows are written together.' })
 * ```
 */
export function forbidKeepers(
  model: EntityClass<object> | EntityModel<object>,
  alone: LoneDeclaration,
): void {
  const { title, kept, lifetime } = toModel(model)
  const declarations = new Set(keepersIn(kept)?.declared.map(({ declaration }) => declaration))
  if (lifetime !== undefined) declarations.add('the option lifetime')
  if (declarations.size > 0) throw notShared(title, alone, [...declarations].join(' and '))
  kept.alone = alone
}

function notShared(
  className: string,
  { declaration, reason }: LoneDeclaration,
  other: string,
): ModelError {
  return new ModelError({
    className,
    problem: `${declaration} and ${other} cannot share a model: ${reason} Use ${declaration} with a model of its own, whose keys differ.`,
  })
}

/**
 * Returns the condition on RowKey that the entities of a model meet, and the rows that are kept beside them do not.
 *
 * @param model - the class or model
 *
 * @example
 * ```ts
 * const filter = entityRows(Order) // leaves out the entries of indexes, the rows of summaries and so on
 * ```
 */
export function entityRows(model: EntityClass<object> | EntityModel<object>): FilterNode {
  const { rowKey } = toModel(model)
  const own = keyFilter('RowKey', rowKey)
  return own === undefined ? notKept : mayBeKept(rowKey) ? and(own, notKept) : own
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
 * return joinPlans([{ companions: changes, rejected }, plan])
 * ```
 */
export async function planKeptRows(
  model: EntityClass<object> | EntityModel<object>,
  transitions: readonly RowTransition[],
  call: KeptCall,
): Promise<KeptPlan> {
  return (await keepersIn(toModel(model).kept)?.plan(transitions, call)) ?? joinPlans([])
}

/**
 * Returns the keepers of a class or model, in the order of their declarations.
 *
 * @param model - the class or model
 *
 * @example
 * ```ts
 * keepRows(Order, audit)
 * keepersOf(Order) // [audit]
 * ```
 */
export function keepersOf(model: EntityClass<object> | EntityModel<object>): readonly RowKeeper[] {
  return keepersIn(toModel(model).kept)?.declared.map(({ keeper }) => keeper) ?? []
}
