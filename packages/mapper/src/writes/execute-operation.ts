import { type Call, type CallOptions, callOf } from '@rowkey/rest'
import { readRow } from '../rows/read-row.ts'
import { snapshotOf } from '../snapshot/snapshot.ts'
import { type CheckedOperation, checkedOperation } from './check-operation.ts'
import type { AnyOperation, OperationResult } from './operation.ts'
import type { WriteParts } from './write-parts.ts'
import { resultOf } from './written-entity.ts'

type ExecutedOperation = OperationResult<object | undefined>

/** Executes one operation, or several in one transaction. */
export async function execute<Entity extends object>(
  operations: AnyOperation | readonly AnyOperation[],
  table: WriteParts<Entity>,
  options: CallOptions,
): Promise<ExecutedOperation | ExecutedOperation[]> {
  const where = `execute of table ${table.name}`
  const call = callOf(table.service, options, where)
  const checked = (given: AnyOperation) => checkedOperation(given, where, table.assignType)
  return isList(operations)
    ? executeTogether(operations.map(checked), table, call)
    : executeAlone(checked(operations), table, call)
}

function isList(
  operations: AnyOperation | readonly AnyOperation[],
): operations is readonly AnyOperation[] {
  return Array.isArray(operations)
}

/** Executes one operation. A merge without changes sends nothing. */
async function executeAlone<Entity extends object>(
  operation: CheckedOperation,
  table: WriteParts<Entity>,
  call: Call,
): Promise<ExecutedOperation> {
  const { rows, changes, sender } = table
  const { kind, subject, etag } = operation
  if (kind === 'retrieve') {
    const { input } = changes.by(operation).retrieve(subject)
    const found = await rows.find(call, input)
    const entity = found && readRow(table, found.raw, found.etag)
    const status = found === undefined ? 404 : found.status
    return { etag: entity && snapshotOf(entity)?.etag, entity, status }
  }
  const change = changes.by(operation)[kind](subject, etag)
  if (change === undefined) {
    return { etag: snapshotOf(subject)?.etag, entity: subject, status: undefined }
  }
  const sent = kind === 'insert' ? sender.insert(change, call) : sender.send(change, call)
  const result = resultOf(change, await sent, table)
  return kind === 'merge' ? { ...result, entity: subject } : result
}

/** Executes several operations of one partition in one transaction: all are applied, or none. */
async function executeTogether<Entity extends object>(
  operations: readonly CheckedOperation[],
  table: WriteParts<Entity>,
  call: Call,
): Promise<ExecutedOperation[]> {
  const { changes, sender } = table
  const made = operations.map((operation) => changes.by(operation).inBatch(operation))
  const results = await sender.sendAll(made, call)
  return made.map((change, index) => resultOf(change, results[index] ?? {}, table))
}
