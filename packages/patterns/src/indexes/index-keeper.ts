import type { KeptCall, RowKeeper } from '@rowkey/mapper'
import type { BatchError } from '@rowkey/rest'
import { isConflict } from '../conflicts/retry-conflicts.ts'
import type { Catalogue } from '../derived/catalogue.ts'
import { keptOf } from '../derived/keeper.ts'
import { pathSource } from '../lookup/path-source.ts'
import { findStored } from '../rows/stored-row.ts'
import { entryChanges } from './entry-changes.ts'
import { checkFree, type EntryWrite, entryWrite } from './entry-write.ts'
import type { EntityIndex } from './index-entry.ts'
import { indexPath } from './index-path.ts'

/**
 * Keeps the entries of all indexes of a model in step with its rows, in the same transactions.
 *
 * @param indexes - the indexes of the model
 * @param catalogue - their states
 */
export function indexKeeper(indexes: readonly EntityIndex[], catalogue: Catalogue): RowKeeper {
  const path = indexPath(indexes, catalogue)
  return {
    source: (own, table) => pathSource(own, table, path),
    touches: (names) => indexes.some((index) => index.touches(names)),
    async plan(transitions, call) {
      const changes = keptOf(indexes, catalogue, call).flatMap((index) =>
        entryChanges(index, transitions),
      )
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
