import { printFilter, type RawEntity } from '@rowkey/odata'
import { type CallOptions, sweepMarkers } from '@rowkey/rest'
import { BulkRun } from '../bulk/bulk-run.ts'
import { keepersIn } from '../keep/keepers.ts'
import { storedParts, type TableParts } from '../rows/table-parts.ts'
import type { Within } from '../rows/within.ts'
import { bulkTarget } from '../writes/bulk-table.ts'
import { Writes } from '../writes/writes.ts'
import { openQuery, openRawQuery } from './open-query.ts'
import type { DeleteAllOptions } from './raw-options.ts'
import { AT_PRIMARY, KEYS, RawTable } from './raw-table.ts'

/** Milliseconds: a sweep leaves younger markers, because late attempts must meet them. */
const OLD_MARKER = 10 * 60_000

/** A table that is restricted to some rows. */
interface RestrictedTable extends TableParts<object> {
  readonly within: Within
}

/**
 * Deletes all rows of a restricted table, of any type, with what follows from them elsewhere. Entities with index entries, copies or
 * values in other places are deleted first, as single deletes do it, so that their keepers learn of them.
 *
 * @param table - the table
 * @param options - the caller's
 */
export function deleteWithin(
  table: RestrictedTable,
  options: DeleteAllOptions,
): BulkRun<RawEntity> {
  const { service, name, within, kept, opener: account } = table
  const where = `deleteAll of table ${name}`
  // A repeated delete does the same, so it needs no marker, which would be left.
  const plain = { ...options, ...AT_PRIMARY, exactWrites: false }
  return new BulkRun({ service, table: name }, plain, where, (call) => {
    const stored = { ...storedParts(table), kept: undefined }
    const all = openRawQuery(stored, rawTable(stored))
      .allowTableScan()
      .storedRows('deleteAll', KEYS)
    const left = {
      ...all,
      fetch: (given: CallOptions) => withoutMarkers(table, all.fetch(given), given),
    }
    const deletion = () => rawTable(stored).openDeletion(left, options, call)
    const keepers = keepersIn(kept)
    if (!keepers?.areElsewhere) return deletion()
    const shown = { ...table, rows: table.rows.all }
    const raw = rawTable(storedParts(table))
    const entities = openQuery(shown, raw).allowTableScan().storedRows('deleteAll', KEYS)
    return {
      ...raw.openDeletion(entities, options, call),
      async next() {
        await keepers.follow(within, { table: { service, name }, account, options: call.options })
        return deletion()
      },
    }
  })
}

function rawTable(parts: TableParts<object>): RawTable {
  return new RawTable(parts, () => bulkTarget(new Writes(parts)))
}

/** Passes rows on, and deletes the old markers of exact writes after them. */
async function* withoutMarkers(
  { service, name, within }: RestrictedTable,
  rows: AsyncIterable<RawEntity>,
  options: CallOptions,
): AsyncGenerator<RawEntity, void, undefined> {
  yield* rows
  const among = printFilter(within.condition)
  await sweepMarkers(service, name, { ...options, olderThan: OLD_MARKER }, among)
}
