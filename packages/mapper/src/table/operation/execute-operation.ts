import { type CallOptions, findEntity, perform, type TableService } from '@rowkey/rest'
import type { RowCodec } from '../../codec/row-codec.ts'
import { snapshotOf } from '../../snapshot/snapshot.ts'
import { targetKey } from '../entity-target.ts'
import type { RowReader } from '../read/row-reader.ts'
import type { ChangeSender } from '../write/change-sender.ts'
import type { EntityChanges } from '../write/entity-changes.ts'
import type { RetrieveOperation } from './entity-operation.ts'
import type { OperationResult } from './operation-result.ts'
import { type AnyOperation, toChange } from './to-change.ts'

/** The table that executes operations. */
export interface OperationTable<Entity extends object> {
  readonly service: TableService
  readonly codec: RowCodec<Entity>
  readonly rows: RowReader<Entity>
  readonly changes: EntityChanges<Entity>
  readonly sender: ChangeSender<Entity>
}

/**
 * Executes one operation. A merge of what did not change sends nothing.
 *
 * @param operation - what is to be done
 * @param table - where
 * @param options - those of the call
 */
export async function executeOperation<Entity extends object>(
  operation: AnyOperation<Entity>,
  table: OperationTable<Entity>,
  options: CallOptions,
): Promise<OperationResult<object | undefined>> {
  const { changes, sender, rows } = table
  if (operation.kind === 'retrieve') return retrieve(operation, table, options)
  if (operation.kind === 'merge') {
    const { entity, etag } = operation
    const change = changes.merge(entity, etag)
    const result = change && (await sender.send(change, options))
    return { etag: result === undefined ? snapshotOf(entity)?.etag : result.etag, entity }
  }
  const change = toChange(operation, changes)
  const { etag } = await sender.send(change, options)
  return { etag, entity: operation.kind === 'delete' ? undefined : rows.written(change) }
}

/**
 * Executes several operations of one partition in one transaction: all happen, or none.
 *
 * @param operations - what is to be done
 * @param table - where
 * @param options - those of the call
 */
export async function executeOperations<Entity extends object>(
  operations: readonly AnyOperation<Entity>[],
  { changes, sender, rows }: OperationTable<Entity>,
  options: CallOptions,
): Promise<OperationResult<object | undefined>[]> {
  const made = operations.map((operation) => toChange(operation, changes))
  const results = await sender.sendAll(made, options)
  return results.map(({ raw, etag }, index) => {
    if (raw !== undefined) return { etag, entity: rows.read(raw, etag) }
    const change = operations[index]?.kind === 'delete' ? undefined : made[index]
    return { etag, entity: change && rows.written(change) }
  })
}

async function retrieve<Entity extends object>(
  { target }: Pick<RetrieveOperation, 'target'>,
  { service, codec, changes, rows }: OperationTable<Entity>,
  options: CallOptions,
): Promise<OperationResult<Entity | undefined>> {
  const input = { table: changes.table, key: targetKey(target, codec) }
  const found = await perform(service, findEntity, input, options)
  if (found === undefined) return { etag: undefined, entity: undefined }
  const entity = rows.read(found.raw, found.etag)
  return { etag: snapshotOf(entity)?.etag, entity }
}
