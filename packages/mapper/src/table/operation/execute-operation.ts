import type { CallOptions, WriteResult } from '@rowkey/rest'
import type { BulkOperation } from '../../bulk/bulk-target.ts'
import { snapshotOf } from '../../snapshot/snapshot.ts'
import { readRow, readsOf } from '../read/read-row.ts'
import type { WriteParts } from '../write/batch.ts'
import type { EntityChange } from '../write/entity-change.ts'
import type { EntityChanges } from '../write/entity-changes.ts'
import { sendInsert } from '../write/send-insert.ts'
import { resultOf } from '../write/written-entity.ts'
import type { AnyOperation, OperationResult } from './operation.ts'

type ExecutedOperation = OperationResult<object | undefined>

/**
 * Executes one operation. A merge without changes sends nothing.
 *
 * @param operation - the operation
 * @param table - the table
 * @param options - the options of the call
 */
export async function executeOperation<Entity extends object>(
  operation: AnyOperation,
  table: WriteParts<Entity>,
  options: CallOptions,
): Promise<ExecutedOperation> {
  const { service, lifetime, changes, sender } = table
  if (operation.kind === 'retrieve') {
    const { input } = changes.retrieve(operation.target)
    const found = await readsOf(lifetime).find(service, input, options)
    const entity = found && readRow(table, found.raw, found.etag)
    const etag = entity && snapshotOf(entity)?.etag
    return { etag, entity, status: found === undefined ? 404 : found.status }
  }
  if (operation.kind === 'merge') {
    const { entity } = operation
    const change = changes.merge(entity, operation.etag)
    const { etag, status }: WriteResult =
      change === undefined ? { etag: snapshotOf(entity)?.etag } : await sender.send(change, options)
    return { etag, entity, status }
  }
  const change = toChange(operation, changes)
  const sent =
    operation.kind === 'insert' ? sendInsert(change, table, options) : sender.send(change, options)
  return resultOf(change, await sent, table)
}

/**
 * Executes several operations of one partition in one transaction: all are applied, or none.
 *
 * @param operations - the operations
 * @param table - the table
 * @param options - the options of the call
 */
export async function executeOperations<Entity extends object>(
  operations: readonly AnyOperation[],
  table: WriteParts<Entity>,
  options: CallOptions,
): Promise<ExecutedOperation[]> {
  const { changes, sender } = table
  const made = operations.map((operation) => toChange(operation, changes))
  const results = await sender.sendAll(made, options)
  return made.map((change, index) => resultOf(change, results[index] ?? {}, table))
}

/**
 * Makes the change of an operation for a batch, from its entity as it is now. An empty merge is a change,
 * too, so that the batch depends on its ETag.
 *
 * @param operation - the operation
 * @param changes - the table
 */
export function toChange(operation: AnyOperation, changes: EntityChanges): EntityChange {
  const { kind } = operation
  if (kind === 'retrieve') return changes.retrieve(operation.target)
  if (kind === 'delete') return changes.delete(operation.target, operation.etag)
  const { entity, etag } = operation
  if (kind === 'insert') return changes.insert(entity)
  return kind === 'merge' ? changes.mergeAlways(entity, etag) : changes[kind](entity, etag)
}

/**
 * Makes the change of an operation of a bulk writer, from its entity as it is now.
 *
 * @returns `undefined` for a merge without changes
 */
export function bulkChange(
  { kind, subject, etag }: BulkOperation,
  changes: EntityChanges,
): EntityChange | undefined {
  if (kind === 'merge') return changes.merge(subject, etag)
  if (kind === 'delete') return changes.delete(subject, etag)
  return toChange({ kind, entity: subject, etag }, changes)
}
