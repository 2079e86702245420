import { checkKeyText, type EntityKey, InputError } from '@rowkey/odata'
import type { Mapping } from '../layers/mapping.ts'
import { keyOfObject } from '../snapshot/object-row.ts'
import type { Rows } from './rows.ts'

/** Names one entity: `['Smith', 'Jeff']`, or `{ partitionKey: 'Smith', rowKey: 'Jeff' }`. */
export type EntityTarget = EntityKey | readonly [partitionKey: string, rowKey: string]

/**
 * Returns the key that a target names. The request checks whether the key is valid.
 *
 * @throws `InputError` (`InvalidEntityKey`) when it does not name an entity
 */
export function toEntityKey(target: EntityTarget): EntityKey {
  if (typeof target !== 'object' || target === null || (isPair(target) && target.length !== 2)) {
    throw new InputError({
      code: 'InvalidEntityKey',
      details: { property: 'PartitionKey' },
      message:
        'A target must name one entity with [partitionKey, rowKey] or { partitionKey, rowKey }.',
    })
  }
  const [partitionKey, rowKey] = isPair(target) ? target : [target.partitionKey, target.rowKey]
  const key = { partitionKey, rowKey }
  checkKeyText(key)
  return key
}

/** The mapping of a target, and the rows of its table. */
interface TargetTable<Entity extends object> {
  readonly mapping: Pick<Mapping<Entity>, 'codec' | 'shape'>
  readonly rows: Rows
}

/**
 * Returns the key of the entity that a target names, by its key or by the members of the key.
 *
 * @throws InputError (`InvalidEntityKey`) when the target does not name an entity
 * @throws InputError (`InvalidKeyPart`) when a part of the key is missing
 * @throws InputError (`ReservedKey`, `OutsideWithin`) for the key of a row that the table cannot have
 */
export function targetKey<Entity extends object>(
  target: unknown,
  { mapping: { codec, shape }, rows }: TargetTable<Entity>,
): EntityKey {
  const isNamed = typeof target !== 'object' || target === null || Array.isArray(target)
  const key =
    isNamed || shape.isKey(target)
      ? toEntityKey(target as EntityTarget)
      : keyOfObject(codec, target as Entity) // a codec reads only the members of the key
  rows.checkKey(key)
  return key
}

/**
 * Rejects a second argument that is the other half of a key.
 *
 * @param second - the argument after the key
 * @param where - the method, for the message
 * @throws InputError (`InvalidEntityKey`) for text or an array
 */
export function checkOneKey(second: unknown, where: string): void {
  if (typeof second !== 'string' && !Array.isArray(second)) return
  throw new InputError({
    code: 'InvalidEntityKey',
    message: `${where}: a key is one argument: [partitionKey, rowKey] or an object with its properties.`,
  })
}

function isPair(target: EntityTarget): target is readonly [string, string] {
  return Array.isArray(target)
}
