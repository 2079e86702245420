import {
  type DynamicEntity,
  dynamicEntityCodec,
  parseEntityObject,
  type RawEntity,
} from '@rowkey/odata'

/**
 * Tells whether a stored entity has exactly the properties that were sent, each with the same type and
 * value. Keys, Timestamp and ETag do not count.
 *
 * @param body - the JSON that was sent
 * @param stored - the entity that was read
 */
export function hasSameContent(body: string, stored: RawEntity): boolean {
  const sent = readSent(body)
  const found = dynamicEntityCodec.read(stored)
  return sent?.properties.size === found.properties.size && holdsAll(found, sent)
}

/**
 * Tells whether a stored entity has every property that was sent, with the same type and value, as
 * after a merge.
 *
 * @param body - the JSON that was sent
 * @param stored - the entity that was read
 */
export function holdsContent(body: string, stored: RawEntity): boolean {
  const sent = readSent(body)
  return sent !== undefined && holdsAll(dynamicEntityCodec.read(stored), sent)
}

function holdsAll(found: DynamicEntity, sent: DynamicEntity): boolean {
  for (const [name, property] of sent.properties) {
    if (found.get(name)?.equals(property) !== true) return false
  }
  return true
}

/** Reads a body; a caller's body may not be an entity, and then equals nothing that is stored. */
function readSent(body: string): DynamicEntity | undefined {
  try {
    return dynamicEntityCodec.read(parseEntityObject(body))
  } catch {
    return undefined
  }
}
