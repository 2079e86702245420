import type { DynamicEntity } from 'rowkey'

/**
 * Tells whether two rows have the same properties with the same types and values. Keys, Timestamps and ETags do not count.
 *
 * @param one - a row
 * @param other - another row
 */
export function hasSameProperties(one: DynamicEntity, other: DynamicEntity): boolean {
  if (one.properties.size !== other.properties.size) return false
  for (const [name, property] of one.properties) {
    const found = other.properties.get(name)
    if (found === undefined || !property.equals(found)) return false
  }
  return true
}
