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
  const writes = steps.flatMap((step) => writeOf(step) ?? [])
  const [first] = steps
  const [only] = writes
  if (first === undefined || only === undefined) return
  const { table } = first
  const call = callOf(table.parts.service, options, 'a write of several rows')
  if (writes.length === 1) await table.writes.send(only, call)
  else await table.writes.sendAll(writes, call)
}

function writeOf({ table, entity, kind }: RowStep): Write | undefined {
  const maker = table.writes.of(entity)
  if (kind === 'insert' || kind === 'insertOrReplace') return maker[kind](entity)
  if (kind === 'delete') return maker.delete(entity, undefined)
  // A write in doubt may have added properties, which a merge would leave.
  const isInDoubt = snapshotOf(entity)?.doubtful !== undefined
  const write = maker[isInDoubt ? 'replace' : 'modification'](entity, undefined)
  return write ?? (kind === 'touch' ? maker.mergeAlways(entity, undefined) : undefined)
}
