import type { CallOptions, TableService } from '@rowkey/rest'
import type { BulkOperation } from '../../bulk/bulk-target.ts'
import type { RowCodec } from '../../codec/row-codec.ts'
import { mapperInputError } from '../../errors/codes.ts'
import type { RowLifetime } from '../../model/row-lifetime.ts'
import { snapshotOf } from '../../snapshot/snapshot.ts'
import { targetKey } from '../entity-target.ts'
import { type RowReader, readsOf } from '../read/row-reader.ts'
import {
  type EntityChange,
  type EntityChanges,
  type WriteSender,
  writtenEntity,
} from '../write/entity-changes.ts'
import type { AnyOperation, OperationResult, RetrieveOperation } from './operation.ts'

/** The table that executes operations. */
export interface OperationTable<Entity extends object> {
  readonly service: TableService
  /** Decides which rows are live; absent when all are. */
  readonly lifetime?: RowLifetime | undefined
  readonly codec: RowCodec<Entity>
  readonly rows: RowReader<Entity>
  readonly changes: EntityChanges<object>
  readonly sender: WriteSender<object>
}

/**
 * Executes one operation. A merge without changes sends nothing.
 *
 * @param operation - the operation
 * @param table - the table
 * @param options - the options of the call
 */
export async function executeOperation<Entity extends object>(
  operation: AnyOperation,
  table: OperationTable<Entity>,
  options: CallOptions,
): Promise<OperationResult<object | undefined>> {
  const { changes, sender, rows } = table
  if (operation.kind === 'retrieve') return retrieve(operation, table, options)
  if (operation.kind === 'merge') {
    const { entity } = operation
    const change = changes.merge(entity, operation.etag)
    const result = change && (await sender.send(change, options))
    const etag = result === undefined ? snapshotOf(entity)?.etag : result.etag
    return { etag, entity, status: result?.status }
  }
  const change = toChange(operation, changes)
  const { etag, status } = await sender.send(change, options)
  const entity = operation.kind === 'delete' ? undefined : writtenEntity(change, rows)
  return { etag, entity, status }
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
  { service, lifetime, changes, sender, rows }: OperationTable<Entity>,
  options: CallOptions,
): Promise<OperationResult<object | undefined>[]> {
  const made = operations.map((operation) => toChange(operation, changes))
  const results = await sender.sendAll(made, options)
  return results.map(({ raw, etag, status }, index) => {
    if (raw !== undefined) {
      const isRead = operations[index]?.kind === 'retrieve'
      if (isRead && lifetime?.isHidden(raw, service.now())) return NOTHING
      return { etag, entity: rows.read(raw, etag), status }
    }
    const change = operations[index]?.kind === 'delete' ? undefined : made[index]
    return { etag, entity: change && writtenEntity(change, rows), status }
  })
}

/** The result of a retrieve that finds nothing. */
const NOTHING = Object.freeze({ etag: undefined, entity: undefined, status: 404 })

async function retrieve<Entity extends object>(
  { target }: Pick<RetrieveOperation, 'target'>,
  { service, lifetime, codec, changes, rows }: OperationTable<Entity>,
  options: CallOptions,
): Promise<OperationResult<Entity | undefined>> {
  const input = { table: changes.table, key: targetKey(target, codec) }
  const found = await readsOf(lifetime).find(service, input, options)
  if (found === undefined) return NOTHING
  const entity = rows.read(found.raw, found.etag)
  return { etag: snapshotOf(entity)?.etag, entity, status: found.status }
}

/**
 * Makes the change of an operation for a batch, from its entity as it is now. An empty merge is a change,
 * too, so that the batch depends on its ETag.
 *
 * @param operation - the operation
 * @param changes - the table
 */
export function toChange(
  operation: AnyOperation,
  changes: EntityChanges<object>,
): EntityChange<object> {
  switch (operation.kind) {
    case 'insert':
      return changes.insert(operation.entity)
    case 'insertOrMerge':
      return changes.insertOrMerge(operation.entity)
    case 'insertOrReplace':
      return changes.insertOrReplace(operation.entity)
    case 'merge':
      return changes.mergeAlways(operation.entity, operation.etag)
    case 'replace':
      return changes.replace(operation.entity, operation.etag)
    case 'delete':
      return changes.delete(operation.target, operation.etag)
    case 'retrieve':
      return changes.retrieve(operation.target)
  }
}

const KINDS: ReadonlySet<unknown> = new Set<AnyOperation['kind']>([
  'insert',
  'insertOrMerge',
  'insertOrReplace',
  'merge',
  'replace',
  'delete',
  'retrieve',
])

/**
 * Rejects a value that is not an operation, or that has a type, which only the table of a union knows.
 *
 * @param given - the value
 * @param where - the call, for the message
 * @throws InputError (`InvalidOptionValue`)
 */
export function checkOperation(given: unknown, where: string): asserts given is AnyOperation {
  const { kind, type }: { readonly kind?: unknown; readonly type?: unknown } = Object(given)
  if (KINDS.has(kind)) {
    if (type === undefined) return
    throw mapperInputError({
      code: 'InvalidOptionValue',
      message: `${where}: only the table of a union accepts the type of an entity. Omit it: Operation.${kind}(…).`,
    })
  }
  throw mapperInputError({
    code: 'InvalidOptionValue',
    message: `${where} needs an operation, such as Operation.insert(entity), or a list of operations.`,
  })
}

/**
 * Makes an operation of a bulk writer from an operation value.
 *
 * @param given - the value
 * @param where - the call, for the message
 * @throws InputError with the code `InvalidOptionValue` for a read, and for a value that is not an operation
 */
export function bulkOperation(given: unknown, where: string): BulkOperation {
  checkOperation(given, where)
  if (given.kind === 'delete') {
    return { kind: 'delete', subject: given.target, etag: given.etag }
  }
  if (given.kind !== 'retrieve') {
    return { kind: given.kind, subject: given.entity, etag: given.etag }
  }
  throw mapperInputError({
    code: 'InvalidOptionValue',
    message: `${where} takes writes, and got a retrieve. Use getMany to read several entities.`,
  })
}

/**
 * Makes the change of an operation of a bulk writer, from its entity as it is now.
 *
 * @returns `undefined` for a merge without changes
 */
export function bulkChange(
  { kind, subject, etag }: BulkOperation,
  changes: EntityChanges<object>,
): EntityChange<object> | undefined {
  if (kind === 'merge') return changes.merge(subject, etag)
  if (kind === 'delete') return changes.delete(subject, etag)
  return toChange({ kind, entity: subject, etag }, changes)
}
