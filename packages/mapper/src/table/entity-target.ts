import { checkKeyText, type EntityCodec, type EntityKey, EntityKeyError } from '@rowkey/odata'

/** Names one entity: `['Smith', 'Jeff']`, or `{ partitionKey: 'Smith', rowKey: 'Jeff' }`. */
export type EntityTarget = EntityKey | readonly [partitionKey: string, rowKey: string]

/**
 * The key that a target names. Whether the service takes it is found out where the request is made.
 *
 * @throws {@link EntityKeyError} when it names none
 */
export function toEntityKey(target: EntityTarget): EntityKey {
  if (typeof target !== 'object' || target === null || (isPair(target) && target.length !== 2)) {
    throw new EntityKeyError({
      property: 'PartitionKey',
      message:
        'No entity is named. Name one by [partitionKey, rowKey] or { partitionKey, rowKey }, ' +
        "such as ['Smith', 'Jeff'].",
    })
  }
  const [partitionKey, rowKey] = isPair(target) ? target : [target.partitionKey, target.rowKey]
  const key = { partitionKey, rowKey }
  checkKeyText(key)
  return key
}

/**
 * The key of the entity that a target names, or that has the members which make its key.
 *
 * @throws {@link EntityKeyError} when it names none
 * @throws KeyPartError when a member is missing that is a part of the key
 */
export function targetKey<Entity extends object>(
  target: EntityTarget | object,
  codec: EntityCodec<Entity>,
): EntityKey {
  if (typeof target !== 'object' || target === null || isEntityTarget(target)) {
    return toEntityKey(target)
  }
  return codec.keyOf(target as Entity) // a codec asks for the members of the key alone
}

/** Whether something names an entity rather than being one. */
export function isEntityTarget(given: unknown): given is EntityTarget {
  if (typeof given !== 'object' || given === null) return false
  return Array.isArray(given) || ('partitionKey' in given && 'rowKey' in given)
}

function isPair(target: EntityTarget): target is readonly [string, string] {
  return Array.isArray(target)
}
