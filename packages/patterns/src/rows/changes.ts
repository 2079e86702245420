import type { KeptTable } from '@rowkey/mapper'
import type { EntityKey } from '@rowkey/odata'
import {
  type CallOptions,
  type Change,
  deleteEntity,
  type EntityWrite,
  entityGroupTransaction,
  insertEntity,
  insertOrReplaceEntity,
  mergeEntity,
  perform,
  updateEntity,
  type WriteResult,
} from '@rowkey/rest'
import { isUnsettled, sendOnce } from '../conflicts/retry-conflicts.ts'

const { reconcile: _insert, ...insert } = insertEntity
const { reconcile: _upsert, ...upsert } = insertOrReplaceEntity

/**
 * The insert of a row that follows from the entities, such as a count of 1. Two programs may insert the same one, so finding it proves nothing
 * about this transaction. Therefore this insert is never used as evidence after a lost response.
 */
export const insertKept: Change['operation'] = insert
/** The upsert of a row that follows from the entities. It is not evidence, either. */
export const upsertKept: Change['operation'] = upsert

/** Stores a row that follows from the entities over the version that was read; `undefined` for a row that does not exist. */
export function keeping(input: EntityWrite, etag: string | undefined): Change {
  return etag === undefined
    ? { operation: insertKept, input }
    : { operation: updateEntity, input: { ...input, etag } }
}

/** Deletes a row at the version that was read. */
export function removing(table: string, key: EntityKey, etag: string): Change {
  return { operation: deleteEntity, input: { table, key, body: '', etag } }
}

/** A merge of nothing: it lets a transaction fail when a row changed since it was read. */
export function untouched(table: string, key: EntityKey, etag: string): Change {
  const body = JSON.stringify({ PartitionKey: key.partitionKey, RowKey: key.rowKey })
  return { operation: mergeEntity, input: { table, key, body, etag } }
}

/** Works as {@link storeTogether} for changes without a condition. After a lost response it waits until they can no longer arrive. */
export async function storeOnce(
  { service, name: table }: KeptTable,
  changes: readonly Change[],
  options: CallOptions,
  writeTimeout?: number,
): Promise<readonly WriteResult[] | undefined> {
  const send = (once: CallOptions) =>
    perform(service, entityGroupTransaction, { table, changes }, once)
  try {
    return await sendOnce(service, send, options, writeTimeout)
  } catch (error) {
    if (isUnsettled(error)) return undefined
    throw error
  }
}

/**
 * Sends changes in one transaction. Returns `undefined` when another program was faster, or may have been: then what is stored
 * must be read again.
 */
export async function storeTogether(
  { service, name: table }: KeptTable,
  changes: readonly Change[],
  options: CallOptions,
): Promise<readonly WriteResult[] | undefined> {
  try {
    return await perform(service, entityGroupTransaction, { table, changes }, options)
  } catch (error) {
    if (isUnsettled(error)) return undefined
    throw error
  }
}
