import { type Call, updateEntity, type WriteResult } from '@rowkey/rest'
import type { LiveInsert } from '../../model/row-lifetime.ts'
import type { EntityChange } from './entity-change.ts'
import type { WriteParts } from './write-parts.ts'

/**
 * Sends an insert alone, over an expired row if the model has a lifetime.
 *
 * @param change - the insert
 * @param table - the table
 * @param call - the call
 */
export function sendInsert(
  change: EntityChange,
  { lifetime, sender }: WriteParts<object>,
  call: Call,
): Promise<WriteResult> {
  const { input } = change
  if (lifetime === undefined) return sender.send(change, call)
  const insert: LiveInsert = {
    input: { table: input.table, key: input.key },
    send: (each) => sender.send(change, each),
    replace: (etag, each) => sender.send(toReplace(change, etag), each),
  }
  return lifetime.insert(insert, call)
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
