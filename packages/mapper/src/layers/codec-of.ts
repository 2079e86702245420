import { checkEntityKey, type EntityCodec, type KeyCheck } from '@rowkey/odata'
import type { EntityModel } from '../model/entity-model.ts'
import { readObject, writeRow } from '../snapshot/object-row.ts'
import { mappingOf } from './mapping.ts'

const codecs = new WeakMap<object, EntityCodec<object>>()

/**
 * Returns the codec of a model: compiled at the first call, and the same from then on.
 *
 * @param model - from `modelOf`
 * @param checkKey - checks keys; `checkKeyText` leaves the rules to the service
 *
 * @example
 * ```ts
 * const codec = codecOf(modelOf(Customer))
 * codec.write(customer)   // '{"PartitionKey":"Smith","RowKey":"Jeff","cea":"jeff@contoso.com"}'
 * ```
 */
export function codecOf<Entity extends object>(
  model: EntityModel<Entity>,
  checkKey: KeyCheck = checkEntityKey,
): EntityCodec<Entity> {
  const { codec } = mappingOf(model, checkKey)
  const known = codecs.get(codec)
  if (known !== undefined) return known as EntityCodec<Entity>
  const made: EntityCodec<Entity> = {
    keyOf: (entity) => codec.keyOf(entity),
    write: (entity) => writeRow(codec, entity).body,
    read: (raw, etag) => readObject(codec, raw, { etag }),
  }
  codecs.set(codec, made as EntityCodec<object>)
  return made
}
