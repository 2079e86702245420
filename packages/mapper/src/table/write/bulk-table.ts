import { dynamicEntityCodec, parseEntityObject, type RawEntity } from '@rowkey/odata'
import { findEntity, insertEntity, perform } from '@rowkey/rest'
import type { BulkOperation, BulkTarget } from '../../bulk/bulk-target.ts'
import { mapperInputError } from '../../errors/codes.ts'
import { snapshotOf } from '../../snapshot/snapshot.ts'
import { checkOperation, toChange } from '../operation/execute-operation.ts'
import type { TableParts } from '../table-parts.ts'
import type { WriteParts } from './batch.ts'
import type { EntityChange } from './entity-changes.ts'

/**
 * Returns a table as a bulk writer needs it.
 *
 * @param parts - the table
 * @param writeParts - write its entities
 */
export function bulkTarget<Entity extends object>(
  { service, name, undigested }: TableParts<Entity>,
  writeParts: WriteParts<Entity>,
): BulkTarget {
  const { changes, sender, rows } = writeParts
  return {
    service,
    table: name,
    undigested: undigested ?? new Set(),

    change({ kind, subject, etag }) {
      if (kind === 'merge') return changes.merge(subject, etag)
      if (kind === 'delete') return changes.delete(subject, etag)
      return toChange({ kind, entity: subject, etag }, changes)
    },

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
      const sent = rows.reveal(parseEntityObject(input.body))
      return hasSameContent(sent, rows.reveal(found.raw)) ? found.etag : undefined
    },

    async modify({ operation, input, entity }, modifier, options) {
      const { DEFAULT_ATTEMPTS, modifyEntity } = await import('./modify-entity.ts')
      const orInsert = operation === insertEntity ? entity : undefined
      const modification = {
        ...writeParts,
        service,
        key: input.key,
        // What the caller's function returns is checked there.
        modifier: (stored: Entity) => modifier(stored) as Promise<void>,
        attempts: DEFAULT_ATTEMPTS,
        orInsert,
      }
      return snapshotOf(await modifyEntity(modification, options))?.etag
    },
  }
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

/** Tells whether two rows have the same properties, with the same types and values. Keys do not count. */
export function hasSameContent(one: RawEntity, other: RawEntity): boolean {
  const [left, right] = [dynamicEntityCodec.read(one), dynamicEntityCodec.read(other)]
  if (left.properties.size !== right.properties.size) return false
  for (const [name, property] of left.properties) {
    if (right.get(name)?.equals(property) !== true) return false
  }
  return true
}
