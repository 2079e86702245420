import { type CallOptions, updateEntity, type WriteResult } from '@rowkey/rest'
import type { LiveInsert } from '../../model/row-lifetime.ts'
import type { EntityChange } from './entity-change.ts'
import type { WriteParts } from './write-parts.ts'

/**
 * Sends an insert alone, over an expired row if the model has a lifetime.
 *
 * @param change - the insert
 * @param table - the table
 * @param options - the options of the call
 */
export function sendInsert(
  change: EntityChange,
  { service, lifetime, sender }: WriteParts<object>,
  options: CallOptions,
): Promise<WriteResult> {
  const { input } = change
  if (lifetime === undefined) return sender.send(change, options)
  const insert: LiveInsert = {
    service,
    input: { table: input.table, key: input.key },
    send: (call) => sender.send(change, call),
    replace: (etag, call) => sender.send(toReplace(change, etag), call),
  }
  return lifetime.insert(insert, options)
}

/** Makes an insert a replace of the row with an ETag: it stores the entity as it was when the insert was called. */
function toReplace(insert: EntityChange, etag: string): EntityChange {
  const { input, write } = insert
  return {
    ...insert,
    operation: updateEntity,
    input: { ...input, etag, knownAs: insert.operation.name },
    write: write && { ...write, onto: etag },
  }
}
