import { dynamicEntityCodec, hasSameProperties } from '@rowkey/odata'
import { findEntity, insertEntity } from '@rowkey/rest'
import type { BulkTarget } from '../bulk/bulk-target.ts'
import { revealRow } from '../rows/read-row.ts'
import { snapshotOf } from '../snapshot/snapshot.ts'
import { modifyEntity } from './modify-entity.ts'
import type { Write } from './write.ts'
import type { WriteParts } from './write-parts.ts'

/**
 * Returns a table as a bulk writer needs it.
 *
 * @param table - the table, and what writes its entities
 */
export function bulkTarget<Entity extends object>(table: WriteParts<Entity>): BulkTarget {
  const { service, name, changes, types } = table
  return {
    service,
    table: name,

    modelOf: (target) => types.ofKey(target).model,

    change: ({ kind, subject, etag }) => changes.by({ kind, subject })[kind](subject, etag),

    async send(made: readonly Write[], call, next: () => readonly Write[]) {
      const [first] = made
      // A request of its own is smaller, and its response says more.
      if (first !== undefined && made.length === 1) return [await table.sender.send(first, call)]
      await table.sender.readAhead(made, next, call)
      return table.sender.sendAll(made, call)
    },

    async storedEtag({ input, row }: Write, call) {
      const found = await call.perform(findEntity, { table: name, key: input.key })
      if (found === undefined || row === undefined) return undefined
      const sent = dynamicEntityCodec.read(revealRow(table, row.raw))
      const stored = dynamicEntityCodec.read(revealRow(table, found.raw))
      return hasSameProperties(sent.properties, stored.properties) ? found.etag : undefined
    },

    async modify({ operation, input, write }: Write, modifier, call) {
      const orInsert = operation === insertEntity ? write?.entity : undefined
      const modification = {
        ...table,
        key: input.key,
        // What the caller's function returns is checked there.
        modifier: (stored: Entity) => modifier(stored) as Promise<void>,
        orInsert,
      }
      return snapshotOf(await modifyEntity(modification, call))?.etag
    },
  }
}
