import { dynamicEntityCodec, hasSameProperties, parseEntityObject } from '@rowkey/odata'
import { changeBytes, findEntity, insertEntity, perform } from '@rowkey/rest'
import type { BulkKind, BulkTarget } from '../../bulk/bulk-target.ts'
import { mapperInputError } from '../../errors/codes.ts'
import { describeKind } from '../../errors/describe-kind.ts'
import { snapshotOf } from '../../snapshot/snapshot.ts'
import { toBulkOperation } from '../operation/check-operation.ts'
import { bulkChange } from '../operation/execute-operation.ts'
import type { TableParts } from '../table-parts.ts'
import type { WriteParts } from './batch.ts'
import type { EntityChange } from './entity-change.ts'
import { modifyEntity } from './modify-entity.ts'

/**
 * Returns a table as a bulk writer needs it.
 *
 * @param parts - the table
 * @param writeParts - write its entities
 */
export function bulkTarget<Entity extends object>(
  { service, name, undigested, untyped }: TableParts<Entity>,
  writeParts: WriteParts<Entity>,
): BulkTarget {
  const { changes, sender, rows } = writeParts
  return {
    service,
    table: name,
    undigested: undigested ?? new Set(),

    toOperation(item, { kind, etag }) {
      if (kind !== undefined) return { kind, subject: subjectIn(item, kind, name), etag }
      const value = untyped === undefined ? item : untyped(item)
      return toBulkOperation(value, `bulk of table ${name}`)
    },

    change: (operation) => bulkChange(operation, changes),

    bytesOf: (change) => changeBytes(change, service.endpoint),

    etagOf: (entity) => snapshotOf(entity)?.etag,

    async send(given, options) {
      const made = given as readonly EntityChange<object>[] // from `change` above
      const [first] = made
      // A request of its own is smaller, and its response says more.
      if (first !== undefined && made.length === 1) return [await sender.send(first, options)]
      return sender.sendAll(made, options)
    },

    async storedEtag({ input }, options) {
      const found = await perform(service, findEntity, { table: name, key: input.key }, options)
      if (found === undefined) return undefined
      const sent = dynamicEntityCodec.read(rows.reveal(parseEntityObject(input.body)))
      const stored = dynamicEntityCodec.read(rows.reveal(found.raw))
      return hasSameProperties(sent.properties, stored.properties) ? found.etag : undefined
    },

    async modify({ operation, input, entity }, modifier, options) {
      const orInsert = operation === insertEntity ? entity : undefined
      const modification = {
        ...writeParts,
        service,
        key: input.key,
        // What the caller's function returns is checked there.
        modifier: (stored: Entity) => modifier(stored) as Promise<void>,
        orInsert,
      }
      return snapshotOf(await modifyEntity(modification, options))?.etag
    },
  }
}

function subjectIn(item: unknown, kind: BulkKind, table: string): object {
  if (typeof item === 'object' && item !== null) return item
  throw mapperInputError({
    code: 'InvalidEntity',
    message: `${kind} of a bulk writer of table ${table} takes entities, and got ${describeKind(item)}. Give objects with their properties.`,
  })
}
