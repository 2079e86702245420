import type { DynamicEntity } from '@rowkey/odata'
import { type CallOptions, callOf } from '@rowkey/rest'
import { readRow } from '../rows/read-row.ts'
import { snapshotOf } from '../snapshot/snapshot.ts'
import type { Write } from '../writes/write.ts'
import type { Table } from './table.ts'

/** One of the rows of a partition that are written together. */
export interface RowStep {
  /** The table of its model. */
  readonly table: Table<object, object, object>
  /** What the table read or wrote; or something new, for `insert` and `insertOrReplace`. */
  readonly entity: object
  /**
   * What becomes of it. `save` sends what changed since it was read, and nothing when nothing changed; `touch` does so and is sent in any
   * case, so that the transaction depends on its ETag.
   */
  readonly kind: 'insert' | 'insertOrReplace' | 'save' | 'touch' | 'delete'
}

/**
 * Reads a row that a query of all rows returned, as the table of its model does.
 *
 * @param table - the table of the model
 * @param row - the row
 */
export function entityOfRow(table: Table<object, object, object>, row: DynamicEntity): object {
  return readRow(table.parts, row.toJSON(), row.etag)
}

/**
 * Writes rows of several models in one transaction, each as the table of its model does; one row alone in a request of its own. The
 * models have no keepers.
 *
 * @param steps - rows of one partition, in tables of one name
 */
export async function storeRows(steps: readonly RowStep[], options: CallOptions): Promise<void> {
  const changes = steps.flatMap((step) => changeOf(step) ?? [])
  const [first] = steps
  const [only] = changes
  if (first === undefined || only === undefined) return
  const { service, sender } = first.table.parts
  const call = callOf(service, options, 'a write of several rows')
  if (changes.length === 1) await sender.send(only, call)
  else await sender.sendAll(changes, call)
}

function changeOf({ table, entity, kind }: RowStep): Write | undefined {
  const changes = table.parts.changes.of(entity)
  if (kind === 'insert' || kind === 'insertOrReplace') return changes[kind](entity)
  if (kind === 'delete') return changes.delete(entity, undefined)
  // A write in doubt may have added properties, which a merge would leave.
  const isInDoubt = snapshotOf(entity)?.doubtful !== undefined
  const change = changes[isInDoubt ? 'replace' : 'modification'](entity, undefined)
  return change ?? (kind === 'touch' ? changes.mergeAlways(entity, undefined) : undefined)
}
