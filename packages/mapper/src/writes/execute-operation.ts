import { type Call, type CallOptions, callOf } from '@rowkey/rest'
import { readRow } from '../rows/read-row.ts'
import { snapshotOf } from '../snapshot/snapshot.ts'
import { type CheckedOperation, checkedOperation } from './check-operation.ts'
import type { AnyOperation, OperationResult } from './operation.ts'
import type { Writes } from './writes.ts'
import { resultOf } from './written-entity.ts'

type ExecutedOperation = OperationResult<object | undefined>

/** Executes one operation, or several in one transaction. */
export async function execute<Entity extends object>(
  operations: AnyOperation | readonly AnyOperation[],
  writes: Writes<Entity>,
  options: CallOptions,
): Promise<ExecutedOperation | ExecutedOperation[]> {
  const { table } = writes
  const where = `execute of table ${table.name}`
  const call = callOf(table.service, options, where)
  const checked = (given: AnyOperation) => checkedOperation(given, where, table.assignType)
  return isList(operations)
    ? executeTogether(operations.map(checked), writes, call)
    : executeAlone(checked(operations), writes, call)
}

function isList(
  operations: AnyOperation | readonly AnyOperation[],
): operations is readonly AnyOperation[] {
  return Array.isArray(operations)
}

/** Executes one operation. A merge without changes sends nothing. */
async function executeAlone<Entity extends object>(
  operation: CheckedOperation,
  writes: Writes<Entity>,
  call: Call,
): Promise<ExecutedOperation> {
  const { table } = writes
  const { kind, subject, etag } = operation
  if (kind === 'retrieve') {
    const { input } = writes.by(operation).retrieve(subject)
    const found = await table.rows.find(call, input)
    const entity = found && readRow(table, found.raw, found.etag)
    const status = found === undefined ? 404 : found.status
    return { etag: entity && snapshotOf(entity)?.etag, entity, status }
  }
  const write = writes.by(operation)[kind](subject, etag)
  if (write === undefined) {
    return { etag: snapshotOf(subject)?.etag, entity: subject, status: undefined }
  }
  const sent = kind === 'insert' ? writes.insert(write, call) : writes.send(write, call)
  const result = resultOf(write, await sent, table)
  return kind === 'merge' ? { ...result, entity: subject } : result
}

/** Executes several operations of one partition in one transaction: all are applied, or none. */
async function executeTogether<Entity extends object>(
  operations: readonly CheckedOperation[],
  writes: Writes<Entity>,
  call: Call,
): Promise<ExecutedOperation[]> {
  const made = operations.map((operation) => writes.by(operation).inBatch(operation))
  const results = await writes.sendAll(made, call)
  return made.map((write, index) => resultOf(write, results[index] ?? {}, writes.table))
}
