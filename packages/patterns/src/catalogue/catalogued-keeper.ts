import type { EntityModel, KeptCall, KeptPlan, RowKeeper, RowTransition } from '@rowkey/mapper'
import { notSent } from '../conflicts/retry-conflicts.ts'
import { keptRows } from '../rows/kept-rows.ts'
import { CATALOGUE, type CataloguedIndex, type IndexState } from './catalogue-rows.ts'
import type { IndexCatalogue } from './index-catalogue.ts'

/** An index or a summary whose rows are written in the transactions of its entities. */
interface KeptIndex extends CataloguedIndex {
  /** Tells whether a merge of some stored names can change its rows. */
  touches(names: ReadonlySet<string>): boolean
}

/** Plans the rows of the indexes for some writes, by the states of the indexes. */
type Plan<Index> = (
  states: ReadonlyMap<Index, IndexState>,
  transitions: readonly RowTransition[],
  call: KeptCall,
) => Promise<KeptPlan>

/**
 * Makes the keeper of indexes or summaries: it tells their rows from entities, and learns from the catalogue what to keep.
 *
 * @param model - the model of the entities
 * @param indexes - its indexes
 * @param catalogue - their states
 * @param plan - plans their rows
 */
export function cataloguedKeeper<Index extends KeptIndex>(
  model: EntityModel<object>,
  indexes: readonly Index[],
  catalogue: IndexCatalogue<Index>,
  plan: Plan<Index>,
): RowKeeper {
  const kinds = new Map([[CATALOGUE, 'the rows of the catalogue']])
  for (const { kind, name, beginning } of indexes)
    kinds.set(beginning, `the rows of ${kind} ${name}`)
  return {
    ...keptRows(model, kinds),
    // A merge that changes no row of this program may change one of another declaration, so the catalogue must be known.
    touches: (names, table) =>
      !catalogue.isLeased(table) || indexes.some((index) => index.touches(names)),
    async plan(transitions, call) {
      const states = await catalogue.kept(call.table, call.options).catch((error: unknown) => {
        throw notSent(error, 'the states of its indexes could not be registered')
      })
      return plan(states, transitions, call)
    },
  }
}
