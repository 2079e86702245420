import type { EntityModel, KeptPlan, RowTransition } from '@rowkey/mapper'
import type { FilterNode } from '@rowkey/odata'
import { isConflict } from '../conflicts/retry-conflicts.ts'
import { checkOwnKey } from './check-beginnings.ts'
import { rowFilter } from './row-filter.ts'

/** The plan of writes beside which nothing is stored. */
export const NOTHING_KEPT: KeptPlan = Object.freeze({
  companions: [],
  rejected: async (_: number, error: Error) => error,
})

/** Lets writes be planned again when another program was faster. */
export const planAgain: KeptPlan['rejected'] = async (_, error) =>
  isConflict(error) ? undefined : error

/** What tells rows that are kept beside the entities of a model from those entities. */
interface KeptRows {
  /** The condition that the entities meet, and the kept rows do not. */
  readonly rows: FilterNode
  /** What the RowKeys of the kept rows begin with. */
  readonly beginnings: readonly string[]
  /**
   * Checks that the entities of writes have other RowKeys.
   *
   * @throws InputError (`KeyInIndex`)
   */
  check(transitions: readonly RowTransition[]): void
}

/**
 * Returns what tells kept rows from the entities of a model.
 *
 * @param model - the model
 * @param kinds - what the kept rows are, for messages, by what their RowKeys begin with
 */
export function keptRows(
  model: EntityModel<object, object, object>,
  kinds: ReadonlyMap<string, string>,
): KeptRows {
  const beginnings = [...kinds.keys()]
  return {
    rows: rowFilter(model, beginnings),
    beginnings,
    check(transitions) {
      for (const { key } of transitions) {
        for (const [beginning, kind] of kinds) checkOwnKey(model, key.rowKey, { kind, beginning })
      }
    },
  }
}
