import type { EntityModel, KeptCall, RowKeeper } from '@rowkey/mapper'
import type { BatchError } from '@rowkey/rest'
import { cataloguedKeeper } from '../catalogue/catalogued-keeper.ts'
import type { IndexCatalogue } from '../catalogue/index-catalogue.ts'
import { isConflict } from '../conflicts/retry-conflicts.ts'
import type { EntityIndex } from '../definitions/index-entry.ts'
import { findStored } from '../rows/stored-row.ts'
import { entryChanges } from './entry-changes.ts'
import { checkFree, type EntryWrite, entryWrite } from './entry-write.ts'
import { indexPath } from './index-path.ts'

/**
 * Keeps the entries of all indexes of a model in step with its rows, in the same transactions.
 *
 * @param model - the model whose rows are indexed
 * @param indexes - its indexes
 * @param catalogue - their states
 */
export function indexKeeper(
  model: EntityModel<object>,
  indexes: readonly EntityIndex[],
  catalogue: IndexCatalogue<EntityIndex>,
): RowKeeper {
  const keeper = cataloguedKeeper(model, indexes, catalogue, async (states, transitions, call) => {
    const changes = [...states].flatMap(([index, state]) =>
      state === 'disabled' ? [] : entryChanges(index, transitions),
    )
    const planned = await Promise.all(changes.map((change) => entryWrite(change, call)))
    const writes = planned.flatMap((each) => each ?? [])
    return {
      companions: writes.map(({ change }) => change),
      rejected: (index, error) => afterRejection(writes[index], call, error),
    }
  })
  return { ...keeper, path: indexPath(indexes, catalogue) }
}

/**
 * A missing or changed entry is looked up in the next attempt; a taken value ends the call.
 *
 * @throws UniqueValueError when the value is taken
 */
async function afterRejection(
  write: EntryWrite | undefined,
  call: KeptCall,
  error: BatchError,
): Promise<Error | undefined> {
  if (write === undefined || !isConflict(error)) return error
  if (error.status !== 409) return undefined
  const stored = await findStored(call.table, write.entry.key, call.options)
  if (stored !== undefined) await checkFree(write.index, write.entry, stored, call)
  return undefined
}
