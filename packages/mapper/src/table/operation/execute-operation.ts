import type { CallOptions } from '@rowkey/rest'
import { snapshotOf } from '../../snapshot/snapshot.ts'
import { readRow, readsOf } from '../read/read-row.ts'
import type { WriteParts } from '../write/batch.ts'
import { sendInsert } from '../write/send-insert.ts'
import { resultOf } from '../write/written-entity.ts'
import type { CheckedOperation } from './check-operation.ts'
import type { OperationResult } from './operation.ts'

type ExecutedOperation = OperationResult<object | undefined>

/**
 * Executes one operation. A merge without changes sends nothing.
 *
 * @param operation - the operation
 * @param table - the table
 * @param options - the options of the call
 */
export async function executeOperation<Entity extends object>(
  operation: CheckedOperation,
  table: WriteParts<Entity>,
  options: CallOptions,
): Promise<ExecutedOperation> {
  const { service, lifetime, changes, sender } = table
  const { kind, subject, etag } = operation
  if (kind === 'retrieve') {
    const { input } = changes.retrieve(subject)
    const found = await readsOf(lifetime).find(service, input, options)
    const entity = found && readRow(table, found.raw, found.etag)
    const status = found === undefined ? 404 : found.status
    return { etag: entity && snapshotOf(entity)?.etag, entity, status }
  }
  const change = changes[kind](subject, etag)
  if (change === undefined) {
    return { etag: snapshotOf(subject)?.etag, entity: subject, status: undefined }
  }
  const sent = kind === 'insert' ? sendInsert(change, table, options) : sender.send(change, options)
  const result = resultOf(change, await sent, table)
  return kind === 'merge' ? { ...result, entity: subject } : result
}

/**
 * Executes several operations of one partition in one transaction: all are applied, or none.
 *
 * @param operations - the operations
 * @param table - the table
 * @param options - the options of the call
 */
export async function executeOperations<Entity extends object>(
  operations: readonly CheckedOperation[],
  table: WriteParts<Entity>,
  options: CallOptions,
): Promise<ExecutedOperation[]> {
  const { changes, sender } = table
  const made = operations.map((operation) => changes.inBatch(operation))
  const results = await sender.sendAll(made, options)
  return made.map((change, index) => resultOf(change, results[index] ?? {}, table))
}
