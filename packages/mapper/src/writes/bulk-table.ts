import { dynamicEntityCodec, hasSameProperties } from '@rowkey/odata'
import { findEntity, insertEntity } from '@rowkey/rest'
import type { BulkTarget } from '../bulk/bulk-target.ts'
import { revealRow } from '../rows/read-row.ts'
import { snapshotOf } from '../snapshot/snapshot.ts'
import { modifyEntity } from './modify-entity.ts'
import type { Write } from './write.ts'
import type { Writes } from './writes.ts'

/**
 * Returns a table as a bulk writer needs it.
 *
 * @param writes - the writes of the table
 */
export function bulkTarget<Entity extends object>(writes: Writes<Entity>): BulkTarget {
  const { table } = writes
  const { service, name, types } = table
  return {
    service,
    table: name,

    modelOf: (target) => types.ofKey(target).model,

    change: ({ kind, subject, etag }) => writes.by({ kind, subject })[kind](subject, etag),

    async send(made: readonly Write[], call, next: () => readonly Write[]) {
      const [first] = made
      // A request of its own is smaller, and its response says more.
      if (first !== undefined && made.length === 1) return [await writes.send(first, call)]
      await writes.readAhead(made, next, call)
      return writes.sendAll(made, call)
    },

    async storedEtag({ input, row }: Write, call) {
      const found = await call.perform(findEntity, { table: name, key: input.key })
      if (found === undefined || row === undefined) return undefined
      const sent = dynamicEntityCodec.read(revealRow(table, row.raw))
      const stored = dynamicEntityCodec.read(revealRow(table, found.raw))
      return hasSameProperties(sent.properties, stored.properties) ? found.etag : undefined
    },

    async modify({ operation, input, object }: Write, modifier, call) {
      const orInsert = operation === insertEntity ? object?.entity : undefined
      const modification = {
        writes,
        key: input.key,
        // What the caller's function returns is checked there.
        modifier: (stored: Entity) => modifier(stored) as Promise<void>,
        orInsert,
      }
      return snapshotOf(await modifyEntity(modification, call))?.etag
    },
  }
}
