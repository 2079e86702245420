import { checkEntityKey, type EntityCodec, type KeyCheck } from '@rowkey/odata'
import type { RowCodec } from '../codec/row-codec.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { onceForEach } from '../model/once-for-each.ts'
import { keyOfObject, readObject, writeRow } from '../snapshot/object-row.ts'
import { mappingOf } from './mapping.ts'

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
  return codecOver(
    mappingOf(model, checkKey).codec as unknown as RowCodec<object>,
  ) as EntityCodec<Entity>
}

const codecOver = onceForEach(
  (codec: RowCodec<object>): EntityCodec<object> => ({
    keyOf: (entity) => keyOfObject(codec, entity),
    write: (entity) => writeRow(codec, entity).row.text,
    read: (raw, etag) => readObject(codec, raw, { etag }),
  }),
)
