import type { RawEntity } from './entity-codec.ts'
import { EntityProperty } from './entity-property.ts'
import { annotationName } from './member-text.ts'
import { systemPropertyNames } from './property-name.ts'
import { typeOfMember } from './read-property.ts'

/**
 * Of each member seen, the key of its annotation, or `null` when the member is no property. Tables
 * have few names and many entities, so the keys are made once; this many are kept at most.
 */
const KEPT_KEYS = 2_000
const annotationKeys = new Map<string, string | null>()

/**
 * Every property of an entity's JSON but the system properties, in the order of the JSON.
 *
 * @param raw - an entity of {@link parseEntityJson}
 * @param properties - where they go
 * @returns the same map
 * @throws {@link PropertyValueError} when the JSON is no value of its type
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

function annotationKeyOf(member: string): string | null {
  const kept = annotationKeys.get(member)
  if (kept !== undefined) return kept
  // `odata.etag` and its kin, and `name@odata.type`: no property has a dot in its name.
  const isProperty = !member.includes('odata.') && !systemPropertyNames.has(member)
  const key = isProperty ? annotationName(member) : null
  if (annotationKeys.size >= KEPT_KEYS) annotationKeys.clear()
  annotationKeys.set(member, key)
  return key
}
