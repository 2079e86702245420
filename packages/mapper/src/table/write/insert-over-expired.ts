import {
  type CallOptions,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  ETagMismatchError,
  findEntity,
  perform,
  type WriteResult,
} from '@rowkey/rest'
import { type LiveTable, softlyDeleted } from '../read/live-row.ts'
import type { WriteParts } from './batch.ts'
import type { EntityChange } from './entity-changes.ts'

/**
 * Replaces the expired row that rejected an insert, by its ETag. It sends the insert again when the row was swept
 * in between.
 *
 * @param error - why the insert was rejected
 * @param change - the insert
 * @throws the error of the insert when the row has not expired, or changed since it was read
 */
export async function insertOverExpired(
  error: unknown,
  change: EntityChange<object>,
  {
    service,
    lifetime,
    changes,
    sender,
  }: LiveTable & Pick<WriteParts<object>, 'changes' | 'sender'>,
  options: CallOptions,
): Promise<WriteResult> {
  const { entity, input } = change
  const isTaken = error instanceof EntityAlreadyExistsError
  if (!isTaken || lifetime === undefined || entity === undefined) throw error
  // The copy in a second region lags behind, so its ETags would not match.
  const atPrimary = { ...options, locationMode: 'primaryOnly' } as const
  const read = { table: changes.table, key: input.key }
  const found = await perform(service, findEntity, read, atPrimary)
  if (found === undefined) return sender.send(change, options)
  if (found.etag === undefined || !lifetime.isHidden(found.raw, service.now())) throw error
  if (!lifetime.isExpired(found.raw, service.now())) throw softlyDeleted(read)
  try {
    return await sender.send(changes.replace(entity, found.etag), options)
  } catch (cause) {
    if (cause instanceof EntityNotFoundError) return sender.send(change, options)
    throw cause instanceof ETagMismatchError ? error : cause
  }
}
