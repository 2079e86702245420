import type { EntityCodec } from '@rowkey/odata'
import { type CallOptions, findEntity, perform, type TableService } from '@rowkey/rest'
import type { ChangeSender } from '../table/change-sender.ts'
import type { EntityChanges } from '../table/entity-changes.ts'
import { targetKey } from '../table/entity-target.ts'
import type { RetrieveOperation } from './entity-operation.ts'
import type { OperationResult } from './operation-result.ts'
import { type AnyOperation, toChange } from './to-change.ts'

/** The table that executes operations. */
export interface OperationTable<Entity extends object> {
  readonly service: TableService
  readonly codec: EntityCodec<Entity>
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
  const { codec, changes, sender } = table
  if (operation.kind === 'retrieve') return retrieve(operation, table, options)
  if (operation.kind === 'merge') {
    const { entity, etag } = operation
    const change = changes.merge(entity, etag)
    const result = change && (await sender.send(change, options))
    return { etag: result === undefined ? codec.etagOf(entity) : result.etag, entity }
  }
  const { etag } = await sender.send(toChange(operation, changes), options)
  return { etag, entity: operation.kind === 'delete' ? undefined : operation.entity }
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
  { changes, sender }: OperationTable<Entity>,
  options: CallOptions,
): Promise<OperationResult<object | undefined>[]> {
  const made = operations.map((operation) => toChange(operation, changes))
  const results = await sender.sendAll(made, options)
  return results.map((result, index) => {
    const operation = operations[index]
    const written = operation !== undefined && 'entity' in operation ? operation.entity : undefined
    return { etag: result.etag, entity: written ?? changes.found(result) }
  })
}

async function retrieve<Entity extends object>(
  { target }: RetrieveOperation,
  { service, codec, changes }: OperationTable<Entity>,
  options: CallOptions,
): Promise<OperationResult<Entity | undefined>> {
  const input = { table: changes.table, key: targetKey(target, codec) }
  const found = await perform(service, findEntity, input, options)
  if (found === undefined) return { etag: undefined, entity: undefined }
  const entity = codec.read(found.raw, found.etag)
  return { etag: codec.etagOf(entity), entity }
}
