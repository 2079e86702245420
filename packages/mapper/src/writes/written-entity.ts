import { mergeEntity, type WriteResult } from '@rowkey/rest'
import { type RowTable, readRow } from '../rows/read-row.ts'
import type { TableParts } from '../rows/table-parts.ts'
import { keepSnapshot, snapshotOf } from '../snapshot/snapshot.ts'
import type { OperationResult } from './operation.ts'
import type { Write } from './write.ts'

/**
 * Returns the result of an operation.
 *
 * @param write - the write that it made
 * @param result - the response to the write
 * @param table - the table
 */
export function resultOf(
  write: Write,
  { raw, etag, status }: WriteResult,
  table: TableParts<object>,
): OperationResult<object | undefined> {
  if (raw === undefined) {
    // A delete leaves nothing to return.
    const isDeletion = write.object?.row === undefined
    return { etag, entity: isDeletion ? undefined : writtenEntity(write, table), status }
  }
  if (table.rows.hides(raw, table.service.now())) return NOTHING
  return { etag, entity: readRow(table, raw, etag), status }
}

/** The result of a retrieve that finds nothing. */
const NOTHING = Object.freeze({ etag: undefined, entity: undefined, status: 404 })

/**
 * Returns the object that was written, with the output of its schema. If the object cannot be assigned to,
 * it returns a new object with the stored values.
 *
 * @param write - a write that was applied
 * @param table - the table
 */
export function writtenEntity<Entity extends object>(
  { operation, object, creation }: Write,
  table: RowTable<Entity>,
): object | undefined {
  const entity = object?.entity
  if (entity === undefined || object?.row === undefined || Object.isExtensible(entity))
    return entity
  // The body of a merge is not a whole row.
  if (operation === mergeEntity) return entity
  const snapshot = snapshotOf(entity)
  // When the row was made is known by now, and not yet when the write was made.
  const isCompleted = creation !== undefined && snapshot !== undefined
  const row = isCompleted ? snapshot.row : object.row
  const shown = readRow(table, row.raw, snapshot?.etag)
  if (snapshot !== undefined) keepSnapshot(shown, snapshot)
  return shown
}
