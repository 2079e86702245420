import { annotationName, isAnnotation } from './annotation.ts'
import type { RawEntity } from './entity-codec.ts'
import { EntityProperty } from './entity-property.ts'
import { systemPropertyNames } from './property-name.ts'
import { typeOfMember } from './read-property.ts'

/**
 * The name of the annotation of each member, or `null` when the member is not a property. Tables have
 * few names and many entities, so these names are made once; at most this many are kept.
 */
const KEPT_KEYS = 2_000
const annotationKeys = new Map<string, string | null>()

/**
 * Reads every property of an entity's JSON except the system properties, in the order of the JSON.
 *
 * @param raw - an entity from {@link parseEntityJson}
 * @param properties - the map that takes them
 * @returns the same map
 * @throws {@link PropertyValueError} when a value does not fit its type
 */
export function readProperties(
  raw: RawEntity,
  properties: Map<string, EntityProperty> = new Map(),
): Map<string, EntityProperty> {
  for (const name of Object.keys(raw)) {
    const key = annotationKeyOf(name)
    const json = raw[name]
    if (key === null || json === null) continue
    const type = typeOfMember(name, json, raw[key])
    properties.set(name, EntityProperty.read(type, json, name))
  }
  return properties
}

/**
 * Lists the stored names of an entity's own properties, in the order of the JSON: without PartitionKey,
 * RowKey and Timestamp, without annotations, and without members that are null, which are not stored.
 *
 * @param raw - an entity from {@link parseEntityJson}
 *
 * @example
 * ```ts
 * propertyNamesOf({ 'odata.etag': 'W/"1"', PartitionKey: 'a', RowKey: 'b', 'x.y': 1 }) // ['x.y']
 * ```
 */
export function propertyNamesOf(raw: RawEntity): string[] {
  return Object.keys(raw).filter((name) => {
    const json = raw[name]
    return json !== null && json !== undefined && isProperty(name)
  })
}

function isProperty(member: string): boolean {
  return !systemPropertyNames.has(member) && !isAnnotation(member)
}

function annotationKeyOf(member: string): string | null {
  const kept = annotationKeys.get(member)
  if (kept !== undefined) return kept
  const key = isProperty(member) ? annotationName(member) : null
  if (annotationKeys.size >= KEPT_KEYS) annotationKeys.clear()
  annotationKeys.set(member, key)
  return key
}
