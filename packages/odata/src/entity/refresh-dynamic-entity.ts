import type { DynamicEntity } from './dynamic-entity.ts'
import { rememberAs } from './stored-members.ts'

/**
 * Makes an entity what another one is, and lets what is stored of that be known of it too.
 *
 * @param entity - the entity
 * @param fresh - what it is to be, just read under the same key
 */
export function refreshDynamicEntity(entity: DynamicEntity, fresh: DynamicEntity): void {
  const { etag, timestamp, properties } = fresh
  entity.properties.clear()
  for (const [name, value] of properties) entity.properties.set(name, value)
  if (etag === undefined) delete entity.etag
  else entity.etag = etag
  if (timestamp === undefined) delete entity.timestamp
  else entity.timestamp = timestamp
  rememberAs(entity, fresh)
}
