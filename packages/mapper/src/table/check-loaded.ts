import type { EntityCodec, EntityKey } from '@rowkey/odata'
import { ChangedKeyError } from '../errors/changed-key-error.ts'
import { ProjectedEntityError } from '../errors/projected-entity-error.ts'

/**
 * Refuses to write an entity in its old place when its key names another one by now.
 *
 * @param stored - the key it was read or last written under, if any
 * @param key - the key it has now
 * @param method - the call, for the message
 * @throws {@link ChangedKeyError} when PartitionKey or RowKey changed since the entity was read
 */
export function checkSameKey(stored: EntityKey | undefined, key: EntityKey, method: string): void {
  if (stored === undefined) return
  const before = [stored.partitionKey, stored.rowKey]
  if (before[0] === key.partitionKey && before[1] === key.rowKey) return
  throw new ChangedKeyError({
    message:
      `${method} of an entity that was read as ${JSON.stringify(before)} and is now ` +
      `${JSON.stringify([key.partitionKey, key.rowKey])}. A key cannot be changed in place: ` +
      `insert the entity under its new key, and delete ${JSON.stringify(before)}.`,
  })
}

/**
 * Refuses to put a part of an entity in the place of the whole.
 *
 * @throws {@link ProjectedEntityError} when only some of its properties were read
 */
export function checkWhole<Entity>(
  codec: EntityCodec<Entity>,
  entity: Entity,
  method: string,
): void {
  if (!codec.isPart(entity)) return
  throw new ProjectedEntityError({
    message:
      `${method} of an entity that was read with select would drop every property that was not ` +
      'selected. Use merge, which sends only what changed, or read the entity whole first.',
  })
}

/**
 * Refuses to put an entity in the place of one that may hold what nobody read: what the class does not
 * declare would be made again what it was when it was read.
 *
 * @throws {@link ProjectedEntityError} when it was merged into a version that nobody read
 */
export function checkAllRead<Entity>(
  codec: EntityCodec<Entity>,
  entity: Entity,
  method: string,
): void {
  if (codec.hasUnread?.(entity) !== true) return
  throw new ProjectedEntityError({
    message:
      `${method} of an entity that was merged, by etag '*' or by an upsert, into a version that nobody ` +
      'read: what others stored there and the class does not declare would get lost. Use merge, or ' +
      "reload the entity first, or say { etag: '*' } to overwrite it as it was read.",
  })
}
