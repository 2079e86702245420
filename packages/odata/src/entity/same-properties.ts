import type { EntityProperty } from './entity-property.ts'

/**
 * Tells whether two entities have the same properties, each with the same type and value.
 *
 * @param one - the properties of an entity
 * @param other - the properties of another one
 *
 * @example
 * ```ts
 * hasSameProperties(before.properties, after.properties)
 * ```
 */
export function hasSameProperties(
  one: ReadonlyMap<string, EntityProperty>,
  other: ReadonlyMap<string, EntityProperty>,
): boolean {
  return one.size === other.size && holdsProperties(one, other)
}

/**
 * Tells whether an entity has some properties, each with the same type and value, as after a merge of them.
 *
 * @param whole - the properties of the entity
 * @param part - some properties
 *
 * @example
 * ```ts
 * holdsProperties(stored.properties, merged.properties)
 * ```
 */
export function holdsProperties(
  whole: ReadonlyMap<string, EntityProperty>,
  part: ReadonlyMap<string, EntityProperty>,
): boolean {
  for (const [name, property] of part) {
    if (whole.get(name)?.equals(property) !== true) return false
  }
  return true
}
