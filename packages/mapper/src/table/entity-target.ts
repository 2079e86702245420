import { checkKeyText, type EntityKey, InputError } from '@rowkey/odata'
import type { RowCodec } from '../codec/row-codec.ts'

/** Names one entity: `['Smith', 'Jeff']`, or `{ partitionKey: 'Smith', rowKey: 'Jeff' }`. */
export type EntityTarget = EntityKey | readonly [partitionKey: string, rowKey: string]

/**
 * The key that a target names. Whether the service takes it is found out where the request is made.
 *
 * @throws `InputError` (`InvalidEntityKey`) when it names no entity
 */
export function toEntityKey(target: EntityTarget): EntityKey {
  if (typeof target !== 'object' || target === null || (isPair(target) && target.length !== 2)) {
    throw new InputError({
      code: 'InvalidEntityKey',
      details: { property: 'PartitionKey' },
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
 * @throws InputError (`InvalidEntityKey`) when it names no entity
 * @throws InputError (`InvalidKeyPart`) when a member is missing that is a part of the key
 */
export function targetKey<Entity extends object>(
  target: EntityTarget | object,
  codec: RowCodec<Entity>,
): EntityKey {
  const isNamed = typeof target !== 'object' || target === null || Array.isArray(target)
  if (isNamed || codec.isKey(target)) return toEntityKey(target as EntityTarget)
  return codec.keyOf(target as Entity) // a codec asks for the members of the key alone
}

function isPair(target: EntityTarget): target is readonly [string, string] {
  return Array.isArray(target)
}
