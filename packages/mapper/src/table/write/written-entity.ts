import { parseEntityObject } from '@rowkey/odata'
import { mergeEntity, type WriteResult } from '@rowkey/rest'
import { keepSnapshot, snapshotOf } from '../../snapshot/snapshot.ts'
import type { OperationResult } from '../operation/operation.ts'
import type { RowReader } from '../read/row-reader.ts'
import type { WriteParts } from './batch.ts'
import type { EntityChange } from './entity-change.ts'

/**
 * Returns the result of an operation.
 *
 * @param change - the change that it made
 * @param result - the response to the change
 * @param table - reads the rows of the table
 */
export function resultOf(
  change: EntityChange<object>,
  { raw, etag, status }: WriteResult,
  { isHidden, rows }: WriteParts<object>,
): OperationResult<object | undefined> {
  if (raw === undefined) {
    // A delete leaves nothing to return.
    const isDeletion = change.write?.body === undefined
    return { etag, entity: isDeletion ? undefined : writtenEntity(change, rows), status }
  }
  return isHidden?.(raw) ? NOTHING : { etag, entity: rows.read(raw, etag), status }
}

/** The result of a retrieve that finds nothing. */
const NOTHING = Object.freeze({ etag: undefined, entity: undefined, status: 404 })

/**
 * Returns the object that was written, with the output of its schema. If the object cannot be assigned to,
 * it returns a new object with the stored values.
 *
 * @param change - a write that was applied
 * @param rows - reads the rows of the table
 */
export function writtenEntity<Entity extends object>(
  { entity, operation, input, write }: EntityChange<object>,
  rows: RowReader<Entity>,
): object | undefined {
  if (entity === undefined || write?.body === undefined || Object.isExtensible(entity))
    return entity
  // The body of a merge is not a whole row.
  if (operation === mergeEntity) return entity
  const snapshot = snapshotOf(entity)
  const shown = rows.read(parseEntityObject(input.body), snapshot?.etag)
  if (snapshot !== undefined) keepSnapshot(shown, snapshot)
  return shown
}
