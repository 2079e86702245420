import type { EntityModel, KeptCall, RowKeeper } from '@rowkey/mapper'
import type { BatchError } from '@rowkey/rest'
import { CATALOGUE } from '../catalogue/catalogue-rows.ts'
import type { IndexCatalogue } from '../catalogue/index-catalogue.ts'
import { isConflict } from '../conflicts/retry-conflicts.ts'
import type { EntityIndex } from '../definitions/index-entry.ts'
import { keptRows } from '../rows/kept-rows.ts'
import { findStored } from '../rows/stored-row.ts'
import { type EntryChange, entryChanges } from './entry-changes.ts'
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
  const kinds = new Map([[CATALOGUE, 'the entries of the catalogue of indexes']])
  for (const { name, beginning } of indexes) kinds.set(beginning, `the entries of index ${name}`)
  const { rows, beginnings, check } = keptRows(model, kinds)
  return {
    rows,
    beginnings,
    path: indexPath(indexes, catalogue),
    // A merge that changes no entry of this program may change one of another declaration, so the catalogue must be known.
    touches: (names, table) =>
      !catalogue.isLeased(table) || indexes.some((index) => index.touches(names)),
    async plan(transitions, call) {
      check(transitions)
      const changes: EntryChange[] = []
      for (const [index, state] of await catalogue.kept(call.table, call.options)) {
        if (state !== 'disabled') changes.push(...entryChanges(index, transitions))
      }
      const planned = await Promise.all(changes.map((change) => entryWrite(change, call)))
      const writes = planned.flatMap((each) => each ?? [])
      return {
        companions: writes.map(({ change }) => change),
        rejected: (index, error) => afterRejection(writes[index], call, error),
      }
    },
  }
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
