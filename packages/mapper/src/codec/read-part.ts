import type { EntityCodec, RawEntity } from '@rowkey/odata'
import { keepLoadedState, loadedState } from './loaded-state.ts'

/**
 * Reads an entity of which only some properties were asked for, and marks it, so that it does not take
 * the place of the whole.
 *
 * @param codec - reads the entity
 * @param raw - its members
 * @param etag - its ETag, when it is not among them
 */
export function readPart<Entity extends object>(
  codec: EntityCodec<Entity>,
  raw: RawEntity,
  etag?: string,
): Entity {
  const entity = codec.read(raw, etag)
  // What the codec itself keeps of the row stays; the mark is all that is added.
  const kept = loadedState(entity) ?? { raw, etag }
  keepLoadedState(entity, { ...kept, projected: true })
  return entity
}
