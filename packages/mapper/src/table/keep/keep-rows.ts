import { ModelError } from '../../errors/model-error.ts'
import type { EntityClass } from '../../model/entity-class.ts'
import type { EntityModel } from '../../model/entity-model.ts'
import { toModel } from '../../model/to-model.ts'
import type { RowKeeper } from './row-keeper.ts'

const keepers = new WeakMap<object, readonly RowKeeper[]>()
/** The models with an open table. */
const opened = new WeakSet<object>()

/**
 * Registers a keeper for all tables of a class or model: every write of its rows then stores the keeper's rows
 * in the same transaction, in single calls, batches, operations and `modify`.
 *
 * @param model - the class or model
 * @param keeper - plans what is stored with each write
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
  if (opened.has(kept)) {
    throw new ModelError({
      className: kept.title,
      problem:
        'A table of this model is open already, and its writes would not keep the new rows. Declare what is kept next to the model, before the first account.table.',
    })
  }
  keepers.set(kept, [...(keepers.get(kept) ?? []), keeper])
}

/** Returns the keepers of a model, for a table that is being opened. */
export function keepersOf(model: EntityModel<object>): readonly RowKeeper[] {
  opened.add(model)
  return keepers.get(model) ?? []
}
