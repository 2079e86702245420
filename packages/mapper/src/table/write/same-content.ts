import { dynamicEntityCodec, type RawEntity } from '@rowkey/odata'

/** Tells whether two rows have the same properties, with the same types and values. Keys do not count. */
export function hasSameContent(one: RawEntity, other: RawEntity): boolean {
  const [left, right] = [dynamicEntityCodec.read(one), dynamicEntityCodec.read(other)]
  if (left.properties.size !== right.properties.size) return false
  for (const [name, property] of left.properties) {
    if (right.get(name)?.equals(property) !== true) return false
  }
  return true
}
