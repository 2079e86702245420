import {
  type DynamicEntity,
  dynamicEntityCodec,
  parseEntityObject,
  type RawEntity,
} from '@rowkey/odata'

/**
 * Whether a stored entity has the properties of the one that was sent, each with the same type and
 * value, and no others. Keys, Timestamp and ETag do not count.
 *
 * @param body - the JSON that was sent
 * @param stored - the members that were read
 */
export function hasSameContent(body: string, stored: RawEntity): boolean {
  const sent = readSent(body)
  const found = dynamicEntityCodec.read(stored)
  return sent?.properties.size === found.properties.size && holdsAll(found, sent)
}

/**
 * Whether a stored entity has every property of the one that was sent, with the same type and value,
 * as it has after a merge.
 *
 * @param body - the JSON that was sent
 * @param stored - the members that were read
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

/** What a caller gave as a body need not be an entity; then nothing that is stored is the same. */
function readSent(body: string): DynamicEntity | undefined {
  try {
    return dynamicEntityCodec.read(parseEntityObject(body))
  } catch {
    return undefined
  }
}
